"""The words by which a request says whether code or prose is wanted, English and Chinese, as regular expressions.

English words stand between \\b, Chinese has no spaces to stand between.
"""

import re


def _any(english: str, chinese: str = "") -> re.Pattern[str]:
    """Any of the expressions, which are separated by semicolons."""
    forms = [rf"\b(?:{'|'.join(_split(english))})\b", *_split(chinese)]
    return re.compile("|".join(forms), re.IGNORECASE)


def _split(listed: str) -> list[str]:
    return [stripped for part in re.split(r"\s;\s|\n", listed) if (stripped := part.strip())]


# Said plainly: nothing else counts.
ONLY_PROSE = _any(
    r"""
    no code ; without (?:any )?code ; in plain (?:words|language|english)
    """,
    r"""
    不(?:用|要|需要|必)(?:写|贴)?代码
    """,
)
ONLY_CODE = _any(
    r"""
    (?:only|just) (?:the |give me the )?(?:code|command|query|regex|script) ; code only ; give me the code
    """,
    r"""
    (?:只|仅)(?:要|输出|给|写|需要)?代码 ; (?:给出|贴一?下|附上)代码 ; 代码示例 ; 写个例子 ; 给我命令
    示例代码
    """,
)

# Something is to be made, or changed.
MAKE = _any(
    r"""
    writ(?:e|ing) ; implement(?:ing)? ; creat(?:e|ing) ; build ; make ; code (?:a|an|me|up|the)
    program (?:a|an) ; generate ; add ; fix ; debug ; refactor ; rewrite ; port ; convert ; turn
    optimi[sz]e ; simplify ; complete ; draw ; draft ; plot ; solve ; print ; define ; design ; give me
    show me ; set up ; translate ; plan
    """,
    r"""
    写 ; 编写 ; 实现 ; 生成 ; 创建 ; 建立 ; 搭建 ; 画 ; 改写 ; 改成 ; 改为 ; 改正 ; 修复 ; 修改 ; 优化
    简化 ; 重构 ; 补全 ; 补充完整 ; 转成 ; 转换 ; 转为 ; 做一?个 ; 设计 ; 定义 ; 输出 ; 打印 ; 翻译 ; 加上
    爬取 ; 统计 ; 获取 ; 读取
    """,
)
# Something is to be understood, told, or judged.
ASK = _any(
    r"""
    explain ; describe ; what ; why ; who ; when(?: should| did| was| is)? ; which ; is it ; is there
    how (?:does|do|did|can|come|should|is|are|to|many|much) ; compare ; summari[sz]e ; summary
    pros and cons ; difference ; tell me ; suggest ; recommend ; proofread ; rephrase ; paraphrase ; polish
    where ; invent ; imagine ; help me (?:decide|choose|understand|prepare) ; review ; walk me through
    any (?:advice|tips|ideas)
    give (?:me )?(?:feedback|an overview|advice|some advice|\w+ (?:ideas|tips|reasons|names))
    interview questions ; discuss ; outline ; is \w+(?: \w+)? (?:worth|better|dangerous|safe|good|bad)
    """,
    r"""
    解释 ; 介绍 ; (?:输出|打印|返回|做|会)?什么 ; 特性 ; 特征 ; 特点 ; 含义 ; 为何 ; 为啥 ; 怎么 ; 怎样
    如何 ; 哪 ; 谁 ; 吗 ; 区别 ; 不同 ; 优缺点 ; 原理是 ; 讲讲 ; 讲一 ; 讲解 ; 描述 ; 总结 ; 概括 ; 推荐
    润色 ; 换个说法 ; 编一 ; 陪我 ; 评价 ; 点评 ; 写得更 ; 谈谈 ; 起.{0,3}名字 ; 多少 ; 分析一下 ; 还是
    """,
)
# "How do I ... in Rust?" is answered with code, "how does Rust ...?" is not.
HOW_TO = _any(
    r"""
    how (?:do|can|should|would) (?:i|we|you|one) ; how to
    """,
    r"""
    (?<!是)(?:怎么|怎样|如何)(?!样|看|理解|回事|工作|准备|评价)
    """,
)

# Done by programs only.
CODE_VERB = _any(
    r"""
    simulate ; insert ; parse ; validate ; merge two ; flatten ; iterate ; refactor ; debounce ; deserialize
    serialize ; minify ; scrape ; compile ; deploy ; concatenate
    sort (?:a|an|the|this) (?:list|array|dict\w*) ; reverse (?:a|an|the|this) (?:list|array|string)
    """,
    r"""
    模拟 ; 插入 ; 遍历 ; 解析 ; 展平 ; 校验 ; 合并 ; 反转 ; 去重 ; 爬取 ; 编译 ; 部署 ; 序列化 ; 重构 ; 封装
    """,
)
CODE_THING = _any(
    r"""
    functions? ; methods? ; scripts? ; class(?:es)? ; data ?class ; decorators? ; quer(?:y|ies)
    regex(?:es|p)? ; regular expressions? ; one-?liners? ; components? ; (?:web |html )?pages? ; endpoints?
    api ; (?:unit )?tests? ; workflows? ; dockerfile ; makefile ; config(?:uration)?s? ; schemas? ; tables?
    interfaces? ; structs? ; enums? ; commands? ; formulas? ; algorithms? ; linked lists?
    binary (?:search|trees?) ; (?:quick|merge|bubble|heap|insertion)\s?sort ; dijkstra(?:'s)? ; fibonacci
    fizz(?:buzz)? ; two-?sum ; stack ; queue ; parsers? ; code ; programs? ; games? ; cli ; app ; servers?
    bots? ; macros? ; files? ; cron(?:tab)?(?: entry)? ; units? ; type hints ; loops? ; o\(n(?: log n)?\)
    snippets? ; migration script ; selectors? ; grid ; button ; hello world ; generators? ; iterators?
    closures? ; regexps? ; data ?frames? ; svg ; rate limiter ; stdin ; hash ?maps? ; prime numbers
    matri(?:x|ces) ; patterns? ; web server ; extensions? ; plug-?ins? ; manifest ; arrays? ; strings?
    dict(?:ionary|ionaries)? ; data ?base ; loops? ; scraper ; calculator ; (?:re)?name variables
    """,
    r"""
    函数 ; 方法 ; 脚本 ; 类 ; 装饰器 ; 查询 ; 正则 ; 组件 ; 页面 ; 网页 ; 接口 ; 单元测试 ; 测试用例
    工作流 ; 配置 ; 表结构 ; 张表 ; 语句 ; 命令 ; 公式 ; 算法 ; 链表 ; 二分查找 ; 排序 ; 递归 ; 队列 ; 栈
    代码 ; 程序 ; 游戏 ; 小程序 ; 爬虫 ; 服务器 ; 机器人 ; 宏 ; 批处理 ; 类型注解 ; 循环 ; 测试数据 ; 假数据
    表格 ; 缓存 ; 插件 ; 文件 ; 数组 ; 字符串 ; 字典 ; 数据库 ; 两栏 ; 布局 ; 单例 ; 模式 ; 生成器 ; 迭代器
    素数 ; 质数 ; 矩阵 ; dataframe ; SVG ; 标准输入 ; 编程： ; 线程池 ; 选择器 ; 阶乘 ; 斐波那契 ; 两数之和
    时钟 ; 倒计时 ; 曲线 ; 折线图
    """,
)
LANGUAGE = _any(
    r"""
    python ; java ; javascript ; typescript ; js ; ts ; node(?:\.js)? ; rust ; golang
    go(?=[:.,;]|$| program| function| code) ; (?:in|to|into|with|using|用|是) ?go ; c(?=[ .,;，。]|$) ; ruby
    php ; perl ; swift ; kotlin ; scala ; haskell ; lua ; matlab ; julia ; bash ; shell ; zsh ; powershell
    awk ; sed ; grep ; curl ; git ; sql ; mysql ; sqlite ; postgres(?:ql)? ; mongodb ; html ; css ; react
    vue ; angular ; django ; flask ; fastapi ; spring boot ; pytest ; pandas ; numpy ; matplotlib
    three\.js ; canvas ; pytorch ; excel ; latex ; json ; yaml ; xml ; csv ; toml ; terraform ; docker
    kubernetes ; k8s ; nginx ; systemd ; ansible ; assembly ; verilog ; vba ; graphql ; android ; xpath
    flexbox ; swiftui ; express ; tailwind ; svelte ; jquery ; sqlalchemy ; redis ; ffmpeg ; vim ; leetcode
    opencv ; webpack ; arduino ; brainf\W*\w*
    """,
    r"""
    (?<![A-Za-z])(?:Python|JavaScript|TypeScript|Java|Go|Rust|Ruby|PHP|Swift|Kotlin|Haskell|Lua|SQL|HTML|CSS|Vue|React|JSON|XML|YAML|Excel|LaTeX|canvas|nginx|crontab|awk|pandas|matplotlib|git|shell|Dockerfile|Android|C\+\+|C#|C)(?![A-Za-z])
    C\+\+ ; C# ; \.NET ; 汇编 ; 易语言
    """,
)
PROSE_THING = _any(
    r"""
    stor(?:y|ies) ; poems? ; haiku ; songs? ; (?:cover )?letters?
    e-?mails?(?! (?:address|validat|template)) ; essays? ; articles? ; blog(?: post)?s?
    posts?(?! endpoint) ; dialog(?:ue)?s? ; conversations? ; reports? ; speech(?:es)? ; release notes
    (?:product |job )?descriptions? ; newsletters? ; paragraphs? ; sentences? ; summar(?:y|ies) ; feedback
    plans? ; courses? ; ideas ; jokes? ; names? (?:of|for) ; reviews? ; announcements? ; biograph(?:y|ies)
    recipes? ; questions ; advice ; reading list ; toasts? ; diary ; scenes? ; legends? ; fables? ; tales?
    complaints? ; apolog(?:y|ies) ; slogans? ; introductions? ; proposals?
    """,
    r"""
    故事 ; 小说 ; 诗 ; 歌词 ; 信(?!息) ; 邮件 ; 作文 ; 文章 ; 博客 ; 对话 ; 报告 ; 演讲 ; 更新说明 ; 文案
    广告 ; 材料 ; 课程 ; 笑话 ; 名字 ; 心情 ; 通知 ; 这句话 ; 这段话 ; 一段话 ; 悼词 ; 朋友圈 ; 讲话 ; 祝酒
    传说 ; 寓言 ; 童话 ; 投诉 ; 口号 ; 标语 ; 周报 ; 日报 ; 月报 ; 祝福 ; 简历 ; 英文名 ; 中文名 ; 散文
    日记 ; 简历 ; 总结 ; 计划 ; 方案 ; 评语 ; 剧本 ; 旅行 ; 菜谱 ; 说明书
    """,
)

# How lines of code look that no sentence looks like.
OPENING = re.compile(
    r"""\s*(?:
    (?:async\s+)?def\s+\w+\s*\( | class\s+\w+\s*[:({] | (?:from\s+[\w.]+\s+)?import\s+[\w.{*"'] | \#\s*include\b
    | \#!\s*/ | @\w+[\w.]*(?:\(|$) | (?:export\s+)?(?:default\s+)?(?:async\s+)?function\b\s*\*?\s*\w*\s*\(
    | (?:export\s+)?(?:const|let|var)\s+[\w{\[][^.]*=
    | (?:pub\s+)?(?:fn|struct|enum|impl|trait|mod|use)\s+\w+[\w:<>]*.*[{(;]
    | package\s+[\w.]+;?\s*$ | func\s+[\w(].*[({] | (?:public|private|protected|static)\s+\w+.*[({;]
    | (?:int|void|char|double|float|bool|auto|long|unsigned)\s+\w+\s*[(=;\[]
    | SELECT\s+.+ | CREATE\s+(?:TABLE|VIEW|INDEX|DATABASE)\b | INSERT\s+INTO\b | UPDATE\s+\w+\s+SET\b | DELETE\s+FROM\b
    | ALTER\s+TABLE\b | WITH\s+\w+\s+AS\s*\( | </?[a-zA-Z!][^>]*>\s* | <\?(?:php|xml) | \$\s+\w+ | [{\[]\s*["'{\[]?\s*$
    | \{\s*"\w | (?:if|for|while|switch)\s*\(.*\)\s*\{? | (?:if|elif|for|while|with|try|else|except)\b.*:\s*$
    | return\b.*;\s*$
    | using\s+[\w.]+; | apiVersion: | FROM\s+[\w./]+:[\w.]+ | \\(?:documentclass|begin|usepackage)\b
    | (?:git|curl|sudo|docker|npm|pip|apt|grep|find|awk|sed|tar|chmod|ssh|kubectl|systemctl)\s+[-\w./'"]+ [^.?!，。]*$
    )""",
    re.VERBOSE,
)
CODE_END = re.compile(
    r"[;{}]\s*$|\)\s*:\s*$|^\s*[\w.\[\]]+\s*[-+*/|]?=[^=].*[^.?!。？！]$|^\s*[\w.]+\([^()]*\)\s*$|^\s*[})\]]+[,;]?\s*$"
)
REMARK = re.compile(r"\s*(?:#(?!#)\s?\S|//|/\*|\*/|--\s|\"\"\"|''')")
INDENT = re.compile(r"(?: {4}|\t)\s*\S")
