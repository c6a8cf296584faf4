<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Foreword</name>
    <message>
      <location filename="app/advice_words.py" />
      <source>Advice comes from the replies of the model that is loaded.</source>
      <translation>建议来自当前加载模型的回复。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Advice needs {replies} replies with the same settings, of {tokens} tokens together; so far: {heard} with {written}.</source>
      <translation>需要 {replies} 条设置相同、合计 {tokens} 个词元的回复才能给出建议；目前有 {heard} 条，共 {written} 个词元。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>At {temperature} it was {rate}.</source>
      <translation>温度为 {temperature} 时是 {rate}。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Close</source>
      <translation>关闭</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Hold the weights in 4 bits</source>
      <translation>以 4 位保存权重</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Let Foreword choose the draft</source>
      <translation>让 Foreword 选择草稿</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Let the length follow</source>
      <translation>让草稿长度自动调整</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Load the draft in 8 bits</source>
      <translation>以 8 位加载草稿</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured at temperature {temperature}: {rate} of the drafted tokens accepted.</source>
      <translation>温度为 {temperature} 时实测：起草的词元有 {rate} 被接受。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured at {tokens} tokens: a pass takes {ratio} times as long as at the start of a chat.</source>
      <translation>在 {tokens} 个词元处实测：一次前向计算的耗时是对话开头的 {ratio} 倍。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured over the last {count} replies: {figures}.</source>
      <translation>最近 {count} 条回复的实测：{figures}。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured with a 4-bit draft: {rate} accepted, for only {share} of the time; 8 bits may guess better.</source>
      <translation>用 4 位草稿实测：{rate} 被接受，只占 {share} 的时间；8 位可能猜得更准。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: drafting takes {share} of the time, {each} for each token; 30 % is too much.</source>
      <translation>实测：起草占了 {share} 的时间，每个词元 {each}；超过 30 % 就太多了。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: each further token costs {slope} of a pass, so only drafts that are accepted nearly always pay.</source>
      <translation>实测：每多验证一个词元要花一次前向计算的 {slope}，只有几乎总被接受的草稿才划算。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: each token reads {size} GB at {reading} GB/s, of {most} GB/s at most; a further token costs {slope} of a pass.</source>
      <translation>实测：每个词元读取 {size} GB，速度 {reading} GB/s，上限 {most} GB/s；多验证一个词元只花一次前向计算的 {slope}。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: of the tokens at place {length}, {rate} are accepted; K = {best} would be {gain} times as fast.</source>
      <translation>实测：第 {length} 位的词元有 {rate} 被接受；K = {best} 时速度会是现在的 {gain} 倍。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: {gain} times as fast as without it. Automatic pauses while drafting loses.</source>
      <translation>实测：速度是不用投机解码时的 {gain} 倍。设为自动后，起草不划算时会暂停。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: {rate} accepted in {task}, {other_rate} in {other}.</source>
      <translation>实测：{task}的接受率为 {rate}，{other}为 {other_rate}。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Measured: {rate} of {count} drafted tokens accepted; from 50 % on a draft is worth its time.</source>
      <translation>实测：起草的 {count} 个词元有 {rate} 被接受；达到 50 % 以上，起草才划算。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Not enough was measured yet.</source>
      <translation>测量还不够。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Nothing else to improve.</source>
      <translation>没有其他可改进之处。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Nothing to improve.</source>
      <translation>没有可改进之处。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Nothing was measured yet.</source>
      <translation>尚未测量。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Put away with “Not now”, for two weeks: {count}.</source>
      <translation>已选“暂不”、两周内不再提示：{count} 条。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>See what works here…</source>
      <translation>查看实测效果…</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Set K to {value}</source>
      <translation>把 K 设为 {value}</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Set speculation to automatic</source>
      <translation>把投机解码设为自动</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Set the temperature to {value}</source>
      <translation>把温度设为 {value}</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Speculation makes this slower.</source>
      <translation>投机解码让这里变慢了。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Start a new chat</source>
      <translation>开始新对话</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>The draft guesses badly.</source>
      <translation>草稿猜得不准。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>The draft is too slow.</source>
      <translation>草稿太慢。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>The draft may be rounded too coarsely.</source>
      <translation>草稿可能量化得太粗。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>The drafts are too long.</source>
      <translation>草稿太长。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>The graphics card was busy for {share} of the time.</source>
      <translation>这段时间显卡有 {share} 在忙。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>The temperature is too high for the draft.</source>
      <translation>对这个草稿来说，温度太高了。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>This chat has become long.</source>
      <translation>对话已经很长了。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>This draft does not suit {task}.</source>
      <translation>这个草稿不适合{task}。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>This machine is bound by its arithmetic.</source>
      <translation>这台机器受限于算力。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>This machine is bound by its memory.</source>
      <translation>这台机器受限于内存带宽。</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>Train a draft…</source>
      <translation>训练草稿…</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>code</source>
      <translation>代码</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>nothing drafted</source>
      <translation>没有起草</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>prose</source>
      <translation>文章</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>{gain} times as fast as without drafts</source>
      <translation>速度是不用草稿时的 {gain} 倍</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>{rate} of the drafted tokens accepted</source>
      <translation>起草词元的 {rate} 被接受</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>{share} of the time spent on drafting</source>
      <translation>{share} 的时间用于起草</translation>
    </message>
    <message>
      <location filename="app/advice_words.py" />
      <source>{speed} tokens per second</source>
      <translation>每秒 {speed} 个词元</translation>
    </message>
    <message>
      <location filename="app/all_settings.py" />
      <source>Open again now</source>
      <translation>立即重新打开</translation>
    </message>
    <message>
      <location filename="app/all_settings.py" />
      <source>The language changes when the window is opened again.</source>
      <translation>重新打开窗口后语言才会改变。</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>Load again</source>
      <translation>重新加载</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>Other models…</source>
      <translation>其他模型…</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>Restore a backup…</source>
      <translation>恢复备份…</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>Speculation is off.</source>
      <translation>投机解码已关闭。</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>The last change to your chats could not be saved: {error}</source>
      <translation>对话的最近一次改动没能保存：{error}</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>This takes effect when the model is loaded again.</source>
      <translation>重新加载模型后生效。</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <location filename="app/application.py" />
      <source>{name}: {note}</source>
      <translation>{name}：{note}</translation>
    </message>
    <message>
      <location filename="app/benchmarks.py" />
      <source>A benchmark is running.</source>
      <translation>正在进行基准测试。</translation>
    </message>
    <message>
      <location filename="app/benchmarks.py" />
      <source>Comma-separated values</source>
      <translation>逗号分隔值</translation>
    </message>
    <message>
      <location filename="app/benchmarks.py" />
      <source>Export all results</source>
      <translation>导出所有结果</translation>
    </message>
    <message>
      <location filename="app/benchmarks.py" />
      <source>The result could not be kept ({error}).</source>
      <translation>无法保留结果（{error}）。</translation>
    </message>
    <message>
      <location filename="app/benchmarks.py" />
      <source>The results could not be saved ({error}).</source>
      <translation>无法保存结果（{error}）。</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>Accepted</source>
      <translation>接受率</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>Code</source>
      <translation>代码</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>Draft share</source>
      <translation>起草占比</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>Prose</source>
      <translation>文章</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>Times as fast</source>
      <translation>速度倍数</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>Tokens a second</source>
      <translation>每秒词元</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>draft share {share}</source>
      <translation>起草占比 {share}</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>tok/s</source>
      <translation>词元/秒</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>{rate} accepted</source>
      <translation>接受 {rate}</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>{ratio} times as fast</source>
      <translation>速度为 {ratio} 倍</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>{speed} tok/s</source>
      <translation>{speed} 词元/秒</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>{task}, with speculation</source>
      <translation>{task}，使用投机解码</translation>
    </message>
    <message>
      <location filename="app/benchmarks_curves.py" />
      <source>{task}, without speculation</source>
      <translation>{task}，不用投机解码</translation>
    </message>
    <message>
      <location filename="app/benchmarks_plan.py" />
      <source>Automatic</source>
      <translation>自动</translation>
    </message>
    <message>
      <location filename="app/benchmarks_plan.py" />
      <source>With</source>
      <translation>使用</translation>
    </message>
    <message>
      <location filename="app/benchmarks_plan.py" />
      <source>Without</source>
      <translation>不用</translation>
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>"{title}" was deleted.</source>
      <translation>已删除“{title}”。</translation>
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>The folder "{name}" and its chat were deleted.</source>
      <translation>已删除文件夹“{name}”及其中的 1 个对话。</translation>
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>The folder "{name}" and its {count} chats were deleted.</source>
      <translation>已删除文件夹“{name}”及其中的 {count} 个对话。</translation>
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>The folder "{name}" was removed; its chats were kept.</source>
      <translation>文件夹“{name}”已移除；其中的对话已保留。</translation>
    </message>
    <message>
      <location filename="app/chat_shelf.py" />
      <source>This chat cannot be read: the file that keeps it is damaged.</source>
      <translation>无法读取这个对话：保存它的文件已损坏。</translation>
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>A reply is being written. Wait for its end, or stop it.</source>
      <translation>正在生成回复。请等它结束，或停止生成。</translation>
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>Foreword is replying in "{title}".</source>
      <translation>Foreword 正在“{title}”中回复。</translation>
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>New chat</source>
      <translation>新对话</translation>
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>Only the last reply can be continued. Start a new chat from this one to continue it there.</source>
      <translation>只能续写最后一条回复。要续写这一条，请从这里开始新对话。</translation>
    </message>
    <message>
      <location filename="app/chatting.py" />
      <source>The chat is longer than the model can read; its oldest messages are left out: {count:,}.</source>
      <translation>对话太长，模型读不完；最早的 {count:,} 条消息未发送。</translation>
    </message>
    <message>
      <location filename="app/checking.py" />
      <source>JSON</source>
      <translation>JSON</translation>
    </message>
    <message>
      <location filename="app/checking.py" />
      <source>Markdown</source>
      <translation>Markdown</translation>
    </message>
    <message>
      <location filename="app/checking.py" />
      <source>Save the report</source>
      <translation>保存报告</translation>
    </message>
    <message>
      <location filename="app/checking.py" />
      <source>The output is being checked.</source>
      <translation>正在检查输出。</translation>
    </message>
    <message>
      <location filename="app/checking.py" />
      <source>The report could not be saved ({error}).</source>
      <translation>无法保存报告（{error}）。</translation>
    </message>
    <message>
      <location filename="app/compare.py" />
      <source>Two ways of replying are being compared.</source>
      <translation>正在比较两种回复方式。</translation>
    </message>
    <message>
      <location filename="app/compare_sides.py" />
      <source>K = {length}</source>
      <translation>K = {length}</translation>
    </message>
    <message>
      <location filename="app/compare_sides.py" />
      <source>Temperature {value}</source>
      <translation>温度 {value}</translation>
    </message>
    <message>
      <location filename="app/compare_sides.py" />
      <source>With speculation</source>
      <translation>使用投机解码</translation>
    </message>
    <message>
      <location filename="app/compare_sides.py" />
      <source>Without speculation</source>
      <translation>不用投机解码</translation>
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>Attach text or code files</source>
      <translation>附加文本或代码文件</translation>
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>The files are being read…</source>
      <translation>正在读取文件…</translation>
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>The size of the files is being counted…</source>
      <translation>正在计算文件的大小…</translation>
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>pasted {number}.txt</source>
      <translation>粘贴的文本 {number}.txt</translation>
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>{count:,} of {room:,} tokens</source>
      <translation>{count:,} / {room:,} 个词元</translation>
    </message>
    <message>
      <location filename="app/composing.py" />
      <source>{name} takes {tokens:,} tokens and only {room:,} have room, so it was not attached. Attach a part of it, or load the model with a longer context.</source>
      <translation>{name} 有 {tokens:,} 个词元，而剩余空间只有 {room:,} 个，所以没有附加。请只附加一部分，或以更长的上下文加载模型。</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>1 character</source>
      <translation>1 个字符</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>1 download on the hub</source>
      <translation>模型站下载量 1</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>1 past text</source>
      <translation>1 段历史文本</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>1 token</source>
      <translation>1 个词元</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>{count:,} characters</source>
      <translation>{count:,} 个字符</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>{count:,} downloads on the hub</source>
      <translation>模型站下载量 {count:,}</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>{count:,} past texts</source>
      <translation>{count:,} 段历史文本</translation>
    </message>
    <message>
      <location filename="app/counts.py" />
      <source>{count:,} tokens</source>
      <translation>{count:,} 个词元</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Another torch is installed. {size} of disk that only the one before needed are free again.</source>
      <translation>已装好另一版 torch，并腾出了只有之前那版才需要的 {size} 磁盘空间。</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Check of this machine</source>
      <translation>检查这台机器</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Close and install</source>
      <translation>关闭并安装</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Foreword closes, fetches torch for the graphics card (about 3 GB), and starts again.</source>
      <translation>Foreword 会先关闭，下载显卡版 torch（约 3 GB），然后重新启动。</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Foreword closes, fetches torch for the processor (about 200 MB), and starts again.</source>
      <translation>Foreword 会先关闭，下载处理器版 torch（约 200 MB），然后重新启动。</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Loaded models</source>
      <translation>已加载的模型</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>The log has the details.</source>
      <translation>详情见日志。</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Use the graphics card…</source>
      <translation>使用显卡…</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>Use the processor only…</source>
      <translation>只用处理器…</translation>
    </message>
    <message>
      <location filename="app/doctor_visit.py" />
      <source>{name}: {place}</source>
      <translation>{name}：{place}</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Asking for {name}…</source>
      <translation>正在请求 {name}…</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Load it</source>
      <translation>加载</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Model hub…</source>
      <translation>模型站…</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Models…</source>
      <translation>模型…</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Paused. {line}</source>
      <translation>已暂停。{line}</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Resume</source>
      <translation>继续</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>Try again</source>
      <translation>重试</translation>
    </message>
    <message>
      <location filename="app/downloads.py" />
      <source>{name} is here. Load it to chat with it.</source>
      <translation>{name} 已下载完成。加载后即可与它对话。</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>code head</source>
      <translation>专训（代码）</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>draft model</source>
      <translation>草稿模型</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>n-gram</source>
      <translation>n-gram</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>n-gram + {draft}</source>
      <translation>n-gram + {draft}</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>no draft</source>
      <translation>不起草</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>no draft model</source>
      <translation>没有草稿模型</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>no speculation</source>
      <translation>不用投机解码</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>none</source>
      <translation>无</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>own prediction layer</source>
      <translation>自带预测层</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>prose head</source>
      <translation>专训（文章）</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>the fastest draft</source>
      <translation>最快的草稿</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>trained draft</source>
      <translation>专训草稿</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>trained head</source>
      <translation>专训</translation>
    </message>
    <message>
      <location filename="app/drafter_names.py" />
      <source>{name} (by its text)</source>
      <translation>{name}（通过文本）</translation>
    </message>
    <message>
      <location filename="app/drafting.py" />
      <source>Choose a draft model</source>
      <translation>选择草稿模型</translation>
    </message>
    <message>
      <location filename="app/drafting.py" />
      <source>Forget {name}</source>
      <translation>不再使用 {name}</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>1 chat</source>
      <translation>1 个对话</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>1 message</source>
      <translation>1 条消息</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>1 model is</source>
      <translation>有 1 个模型</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>16-bit weights</source>
      <translation>16 位权重</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>32-bit weights</source>
      <translation>32 位权重</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>4-bit and 8-bit weights on graphics cards need it; everything else works.</source>
      <translation>显卡上的 4 位和 8 位权重需要它；其余功能正常。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>4-bit weights</source>
      <translation>4 位权重</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>4-bit weights need the package bitsandbytes.</source>
      <translation>4 位权重需要 bitsandbytes 包。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>8-bit weights</source>
      <translation>8 位权重</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>A ChatGPT export has a conversations.json in it.</source>
      <translation>ChatGPT 的导出文件中应有 conversations.json。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Allow the model's own code only if you trust where it comes from, or choose another model.</source>
      <translation>请仅在信任模型来源时允许运行其自带代码，或选择其他模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Another model is being loaded.</source>
      <translation>正在加载另一个模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Ask again later.</source>
      <translation>请稍后再查询。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Ask something first.</source>
      <translation>请先提问。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Ask where you got Foreword from.</source>
      <translation>请到你获取 Foreword 的地方查询。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Attach a part of it, up to {most} MB.</source>
      <translation>请只附加其中一部分，最多 {most} MB。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Attach the files in it one by one.</source>
      <translation>请逐个附加其中的文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Bring the NVIDIA driver up to date, then start packaging/launch.py setup.</source>
      <translation>请更新 NVIDIA 驱动，然后运行 packaging/launch.py setup。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Bring the NVIDIA driver up to date.</source>
      <translation>请更新 NVIDIA 驱动。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Change its permissions.</source>
      <translation>请更改它的权限。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Change the permissions, or set FOREWORD_HOME.</source>
      <translation>请更改权限，或设置 FOREWORD_HOME。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check again when this machine has less to do.</source>
      <translation>请在这台机器空闲一些时重新检查。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check that there is room and that {path} can be written to.</source>
      <translation>请检查磁盘空间，以及 {path} 是否可以写入。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check that there is room, and try again.</source>
      <translation>请检查磁盘空间后重试。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check that there is room.</source>
      <translation>请检查磁盘空间。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check the disk and try again.</source>
      <translation>请检查磁盘后重试。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check the name: owner/model.</source>
      <translation>请检查名称：所有者/模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check the network connection, choose another address for the model hub, or open a folder that holds a model.</source>
      <translation>请检查网络连接，为模型站选择另一个地址，或打开一个含有模型的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check the network connection, or ask again later.</source>
      <translation>请检查网络连接，或稍后再查询。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Check where it is.</source>
      <translation>请检查它的位置。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a causal language model.</source>
      <translation>请选择因果语言模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a draft model, or another way to draft.</source>
      <translation>请选择草稿模型，或其他起草方式。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a draft of this model.</source>
      <translation>请选择属于这个模型的草稿。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a file in the GGUF format.</source>
      <translation>请选择 GGUF 格式的文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a folder beside it.</source>
      <translation>请选择与其并列的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a folder that can be written to.</source>
      <translation>请选择可写入的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a folder that holds config.json and *.safetensors.</source>
      <translation>请选择含有 config.json 和 *.safetensors 的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a folder with .json or .jsonl files.</source>
      <translation>请选择含有 .json 或 .jsonl 文件的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a model first.</source>
      <translation>请先选择一个模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a model that brings its code along.</source>
      <translation>请选择自带代码的模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a smaller model of the same family.</source>
      <translation>请选择同一系列中更小的模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a smaller model of the same family. As a second choice this one can draft by its text: replies stay exactly the target's, but every draft is spelled twice and loses its last word, so that it gains less.</source>
      <translation>请选择同一系列中更小的模型。退一步，也可以让它通过文本起草：回复仍与目标模型完全一致，但每份草稿要拼写两次并丢掉最后一个词，所以增益较小。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose a smaller model, a shorter context, or int4 weights.</source>
      <translation>请选择更小的模型、更短的上下文或 int4 权重。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose another address for it.</source>
      <translation>请为它选择另一个地址。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose another backup.</source>
      <translation>请选择其他备份。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose another folder.</source>
      <translation>请选择其他文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose another model.</source>
      <translation>请选择其他模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose another name.</source>
      <translation>请换一个名称。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose another place, or check that there is room.</source>
      <translation>请选择其他位置，或检查磁盘空间。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose bfloat16, or install it.</source>
      <translation>请选择 bfloat16，或安装该包。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose float16.</source>
      <translation>请选择 float16。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose one, or train one for this model.</source>
      <translation>请选择一个，或为这个模型训练一个。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose the device auto or cpu.</source>
      <translation>请将设备设为 auto 或 cpu。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose the folder that holds config.json.</source>
      <translation>请选择含有 config.json 的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Choose the folder that holds the model.</source>
      <translation>请选择存放模型的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Close other programs, or load small models only.</source>
      <translation>请关闭其他程序，或只加载小模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Copying was cancelled.</source>
      <translation>复制已取消。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Cores: {cores}, {machine}, kernels for {set}, threads: {threads}.</source>
      <translation>{cores} 核，{machine}，{set} 内核，{threads} 个线程。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Cores: {cores}, {machine}.</source>
      <translation>{cores} 核，{machine}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Disk</source>
      <translation>磁盘</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Download it again.</source>
      <translation>请重新下载。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Download it first, or open a folder that holds it.</source>
      <translation>请先下载，或打开存放它的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Download it first.</source>
      <translation>请先下载。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Enter a token, or choose another address for the model hub.</source>
      <translation>请输入令牌，或为模型站选择另一个地址。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Even {weights} with {context} tokens of context do not fit: {needed} would be needed, and {free} are free.</source>
      <translation>即使用{weights}和 {context} 个词元的上下文也放不下：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Folders</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Foreword is made for Python {a}.{b} to {c}.{d}.</source>
      <translation>Foreword 适用于 Python {a}.{b} 到 {c}.{d}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Foreword's kernels cannot be loaded: {reason}.</source>
      <translation>无法加载 Foreword 的内核：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Get the file again.</source>
      <translation>请重新取得该文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Get the model's .safetensors files.</source>
      <translation>请取得模型的 .safetensors 文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Get the same model with .safetensors files.</source>
      <translation>请取得同一模型的 .safetensors 版本。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Get this file again.</source>
      <translation>请重新取得这个文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Get tokenizer.json from where the model came from.</source>
      <translation>请从模型的来源处取得 tokenizer.json。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Graphics cards</source>
      <translation>显卡</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>In a version that does not fit: {names}.</source>
      <translation>版本不合适：{names}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Install Foreword again.</source>
      <translation>请重新安装 Foreword。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Install a 64-bit Python.</source>
      <translation>请安装 64 位的 Python。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Install again: delete the folder .venv in Foreword's folder and start packaging/launch.py.</source>
      <translation>请重新安装：删除 Foreword 文件夹中的 .venv，然后运行 packaging/launch.py。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Install fonts-noto-cjk (Debian, Ubuntu), google-noto-sans-cjk-fonts (Fedora) or noto-fonts-cjk (Arch).</source>
      <translation>请安装 fonts-noto-cjk（Debian、Ubuntu）、google-noto-sans-cjk-fonts（Fedora）或 noto-fonts-cjk（Arch）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Install g++ or clang++ and start packaging/launch.py setup.</source>
      <translation>请安装 g++ 或 clang++，然后运行 packaging/launch.py setup。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Install the libraries that are missing: the package foreword.deb names them.</source>
      <translation>请安装缺少的系统库，foreword.deb 软件包列有其名称。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>It does not find the {names}: the driver ({version}) is too old for it.</source>
      <translation>它找不到 {names}：驱动（{version}）对它来说太旧。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>It is not on this machine.</source>
      <translation>它不在这台机器上。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>It is too large to save time.</source>
      <translation>它太大，省不了时间。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>It was stopped.</source>
      <translation>已停止。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Its vocabulary is another one. {reason}</source>
      <translation>它的词表不同。{reason}</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Kept in the computer's memory and on the disk: {away} of {layers} layers ({share}); every pass takes about {seconds} s longer (an estimate).</source>
      <translation>{layers} 层中有 {away} 层（{share}）放在内存和磁盘上：每次前向计算约多用 {seconds} 秒（估计值）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Kept in the computer's memory: {away} of {layers} layers ({share}); every pass takes about {seconds} s longer (an estimate).</source>
      <translation>{layers} 层中有 {away} 层（{share}）放在内存里：每次前向计算约多用 {seconds} 秒（估计值）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Kept on the disk: {away} of {layers} layers ({share}); every pass takes about {seconds} s longer (an estimate).</source>
      <translation>{layers} 层中有 {away} 层（{share}）放在磁盘上：每次前向计算约多用 {seconds} 秒（估计值）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Load a model first.</source>
      <translation>请先加载模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Loading was cancelled.</source>
      <translation>已取消加载。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Look for the model under another name, or choose another address for the model hub.</source>
      <translation>请用另一个名称查找该模型，或为模型站选择另一个地址。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Make room on the disk that holds the models folder, or move that folder to another disk.</source>
      <translation>请在模型文件夹所在的磁盘上腾出空间，或把该文件夹移到别的磁盘。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Make room on the disk that holds {path}.</source>
      <translation>请在 {path} 所在的磁盘上腾出空间。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Make room, remove models, or keep them on another disk (Welcome, in the window's menu).</source>
      <translation>请腾出空间、移除模型，或把它们放到另一个磁盘（窗口菜单中的“欢迎”）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Merge it into its base model first.</source>
      <translation>请先将它合并到基础模型中。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Missing: {names}.</source>
      <translation>缺少：{names}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Models</source>
      <translation>模型</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Models cannot be kept in {folder} ({reason}).</source>
      <translation>无法在 {folder} 中存放模型（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Models cannot be moved from {source} into {target}.</source>
      <translation>无法把模型从 {source} 移动到 {target}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Moving was cancelled: the models stay where they were.</source>
      <translation>移动已取消：模型仍在原来的位置。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>No NVIDIA card: the processor does the work.</source>
      <translation>没有 NVIDIA 显卡：由处理器完成计算。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>No draft can be trained for {name}: {reason}</source>
      <translation>无法为 {name} 训练草稿：{reason}</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>No draft model is loaded.</source>
      <translation>没有加载草稿模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>No model is loaded.</source>
      <translation>没有加载模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>No trained draft is loaded.</source>
      <translation>没有加载专训草稿。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Not enough disk space: {needed} are needed and {free} are free.</source>
      <translation>磁盘空间不足：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Not used on macOS.</source>
      <translation>macOS 上不使用。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Nothing can be written to {places}.</source>
      <translation>无法写入 {places}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Nothing of Foreword is published at {index}: whether there is a newer version is not known.</source>
      <translation>{index} 上没有发布过 Foreword，因此无法得知是否有新版本。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Only text and code can be attached. If this is text, save it as UTF-8.</source>
      <translation>只能附加文本和代码。如果这是文本，请另存为 UTF-8。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Open a folder with config.json, or a .gguf file.</source>
      <translation>请打开含有 config.json 的文件夹，或 .gguf 文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Open the .gguf file itself.</source>
      <translation>请直接打开其中的 .gguf 文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Packages</source>
      <translation>软件包</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Processor</source>
      <translation>处理器</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Python {version} has 32 bits; torch needs 64.</source>
      <translation>Python {version} 是 32 位；torch 需要 64 位。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Python {version}.</source>
      <translation>Python {version}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Qt cannot be loaded: {reason}.</source>
      <translation>无法加载 Qt：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Qt {version} finds no fonts: the window would show boxes.</source>
      <translation>Qt {version} 找不到字体：窗口会显示方框。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Qt {version}. There is no font with Chinese characters.</source>
      <translation>Qt {version}。没有中文字体。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Qt {version}; Chinese in {font}.</source>
      <translation>Qt {version}；中文字体为 {font}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Remove that variable.</source>
      <translation>请去掉该变量。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Remove the variable HF_HUB_OFFLINE, or open a folder that holds a model.</source>
      <translation>请去掉变量 HF_HUB_OFFLINE，或打开一个含有模型的文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Remove these models and get them again.</source>
      <translation>请移除这些模型并重新获取。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Rescued from it: {messages} in {chats}.</source>
      <translation>从中救回了 {chats}中的 {messages}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Run python -m inference.native.build to see why.</source>
      <translation>请运行 python -m inference.native.build 查看原因。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Settings, chats, models and logs can be written.</source>
      <translation>设置、对话、模型和日志均可写入。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Shorten it, allow a shorter reply, or load the model with a longer context.</source>
      <translation>请缩短问题、减小回复上限，或以更长的上下文加载模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Shorten the context, or load a smaller model.</source>
      <translation>请缩短上下文，或加载更小的模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Something went wrong inside Foreword.</source>
      <translation>Foreword 内部出错。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Start packaging/launch.py setup --cuda: it installs the CUDA build.</source>
      <translation>请运行 packaging/launch.py setup --cuda：它会安装 CUDA 版。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Start packaging/launch.py: it names the system's libraries that are missing.</source>
      <translation>请运行 packaging/launch.py：它会指出缺少的系统库。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>That did not work ({reason}).</source>
      <translation>操作失败（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The conversion was cancelled.</source>
      <translation>转换已取消。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The default is used instead.</source>
      <translation>现使用默认值。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The disk is full.</source>
      <translation>磁盘已满。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The download was cancelled.</source>
      <translation>下载已取消。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The draft {name} cannot be used. {reason}</source>
      <translation>无法使用草稿 {name}。{reason}</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The export was cancelled.</source>
      <translation>已取消导出。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The file with your chats could not be read. It was kept as {name}.</source>
      <translation>无法读取保存对话的文件，它已另存为 {name}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The graphics card {device} is not available to torch.</source>
      <translation>torch 无法使用显卡 {device}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The kernels are switched off by FOREWORD_KERNELS.</source>
      <translation>内核已被 FOREWORD_KERNELS 关闭。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The kernels could not be made or do not suit this processor: torch does the work.</source>
      <translation>内核无法生成或不适合本处理器：由 torch 计算。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The list of packages cannot be read: {reason}.</source>
      <translation>无法读取软件包列表：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The memory is too small for this model.</source>
      <translation>内存不足，无法加载这个模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The memory of the graphics card is too small for this model.</source>
      <translation>显存不足，无法加载这个模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The model hub could not be asked: {reason}.</source>
      <translation>无法查询模型站：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The model hub does not know {name}.</source>
      <translation>模型站上没有 {name}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The model hub gave an answer that makes no sense.</source>
      <translation>模型站返回了无法理解的内容。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The model's chat template leaves out what you say.</source>
      <translation>模型的对话模板会漏掉你说的话。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The part of Foreword that runs the model has ended unexpectedly.</source>
      <translation>Foreword 中运行模型的部分意外结束了。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The preset could not be saved ({reason}).</source>
      <translation>无法保存预设（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The settings could not be read ({reason}), so the defaults are used.</source>
      <translation>无法读取设置（{reason}），现使用默认值。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The settings could not be saved ({reason}).</source>
      <translation>无法保存设置（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The settings file is damaged and could not be set aside ({reason}); the defaults are used.</source>
      <translation>设置文件已损坏，且无法另存（{reason}），现使用默认值。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The settings file was damaged. It was set aside as {name}, and the defaults are used.</source>
      <translation>设置文件已损坏，已另存为 {name}，现使用默认值。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>The training ended unexpectedly (code {code}). The log has the details.</source>
      <translation>训练意外结束（代码 {code}）。详情见日志。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There are no compiled kernels and no compiler: torch does the work, more slowly.</source>
      <translation>没有编译好的内核，也没有编译器：由 torch 计算，速度较慢。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There are none yet; the window fetches its starter model.</source>
      <translation>还没有模型；窗口会下载入门模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is already a preset called {name}.</source>
      <translation>已有名为 {name} 的预设。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is no folder {folder}.</source>
      <translation>文件夹 {folder} 不存在。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is no model folder {folder}.</source>
      <translation>模型文件夹 {folder} 不存在。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is no model hub at {address}.</source>
      <translation>{address} 不是模型站。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is no target to draft for.</source>
      <translation>还没有需要起草的目标模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is not enough memory to go on.</source>
      <translation>内存不足，无法继续。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>There is nothing to reply to.</source>
      <translation>没有可回复的内容。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This could not be looked at: {kind}: {reason}.</source>
      <translation>无法检查：{kind}：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This folder holds GGUF files.</source>
      <translation>这个文件夹里是 GGUF 文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This folder holds only an adapter (LoRA).</source>
      <translation>这个文件夹里只有适配器（LoRA）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This kind of model is not supported: {kind}.</source>
      <translation>不支持这种模型：{kind}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This machine has a card that it cannot use: {names}.</source>
      <translation>本机有它无法使用的显卡：{names}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This model ({kind}) brings its own Python code, which would run on this machine.</source>
      <translation>这个模型（{kind}）自带 Python 代码，会在这台机器上运行。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This model is being worked on already.</source>
      <translation>这个模型正在处理中。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This model takes its Python code from another place: {place}.</source>
      <translation>该模型的 Python 代码取自别处：{place}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>This question takes {needed} tokens, and only {room} have room.</source>
      <translation>这个问题有 {needed} 个词元，而剩余空间只有 {room} 个。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>To use the card, start Foreword from its sources: packaging/launch.py installs the CUDA build.</source>
      <translation>要使用显卡，请从源代码启动 Foreword：packaging/launch.py 会安装 CUDA 版。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Training a draft for this model needs {needed} GB of memory.</source>
      <translation>为这个模型训练草稿需要 {needed} GB 内存。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Try again later, or choose another address for the model hub.</source>
      <translation>请稍后再试，或为模型站选择另一个地址。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Update transformers, or choose another model.</source>
      <translation>请更新 transformers，或选择其他模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Wait for it, or cancel it.</source>
      <translation>请等待，或取消加载。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Wait until that is done.</source>
      <translation>请等待处理完成。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Whether there is a newer version of Foreword could not be asked: {reason}.</source>
      <translation>无法查询 Foreword 是否有新版本：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Window and fonts</source>
      <translation>窗口与字体</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Your chats are intact. Load the model again.</source>
      <translation>你的对话完好无损。请重新加载模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Your chats can be neither read nor kept ({reason}); this session's are lost at its end.</source>
      <translation>你的对话既无法读取也无法保存（{reason}）；本次的对话会在退出时丢失。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>Your presets could not be read ({reason}).</source>
      <translation>无法读取你的预设（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>backups</source>
      <translation>备份</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>cache</source>
      <translation>缓存</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>chats</source>
      <translation>对话</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>crash reports</source>
      <translation>崩溃报告</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>it ended with status {status}</source>
      <translation>进程以状态 {status} 结束</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>log</source>
      <translation>日志</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>models</source>
      <translation>模型</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>program</source>
      <translation>程序</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>the context is {context} tokens</source>
      <translation>上下文设为 {context} 个词元</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>the draft is left out</source>
      <translation>不加载草稿</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>the process crashed (signal {number})</source>
      <translation>进程崩溃了（信号 {number}）</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>the processor</source>
      <translation>处理器</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>torch cannot be loaded: {reason}.</source>
      <translation>无法加载 torch：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>torch does the work, more slowly.</source>
      <translation>由 torch 计算，速度较慢。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>torch {version}, {build} build.</source>
      <translation>torch {version}，{build} 版。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>trained drafts</source>
      <translation>专训草稿</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>training</source>
      <translation>训练</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>transformers {version} is not a version that Foreword knows ({range}).</source>
      <translation>transformers {version} 不是 Foreword 认识的版本（{range}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{count} chats</source>
      <translation>{count} 个对话</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{count} messages</source>
      <translation>{count} 条消息</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{count} models are</source>
      <translation>有 {count} 个模型</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{draft} cannot draft for {target}: {reason}</source>
      <translation>{draft} 不能为 {target} 起草：{reason}</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{folder} already holds another {name}.</source>
      <translation>{folder} 中已有另一个 {name}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{folder} is not a folder.</source>
      <translation>{folder} 不是文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{free} are free where models are kept ({folder}).</source>
      <translation>存放模型处空闲 {free}（{folder}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{free} of {total} are free.</source>
      <translation>空闲 {free}，共 {total}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{index} gave an answer that makes no sense: whether there is a newer version is not known.</source>
      <translation>{index} 的应答无法理解，因此无法得知是否有新版本。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{label} must be a number, not {value}.</source>
      <translation>“{label}”必须是数字，不能是 {value}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{label} must be a whole number, not {value}.</source>
      <translation>“{label}”必须是整数，不能是 {value}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{label} must be at most {most} characters, not {count}.</source>
      <translation>“{label}”最多 {most} 个字符，现在有 {count} 个。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{label} must be between {low} and {high}, not {value}.</source>
      <translation>“{label}”必须在 {low} 到 {high} 之间，不能是 {value}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{names} on this machine, whole.</source>
      <translation>本机{names}，完整无缺。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{names}: most of the memory is in use by other programs.</source>
      <translation>{names}：大部分显存被其他程序占用。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} cannot be planned for before it is downloaded.</source>
      <translation>{name} 下载之前无法估算内存。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} cannot be read ({reason}).</source>
      <translation>无法读取 {name}（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} could not be downloaded ({tried}).</source>
      <translation>无法下载 {name}（{tried}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} could not be written ({reason}).</source>
      <translation>无法写入 {name}（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} has loaded its CPU library although there is a CUDA card.</source>
      <translation>{name} 加载了 CPU 库，尽管有 CUDA 显卡。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} has no tokenizer.</source>
      <translation>{name} 没有分词器。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} has no weights.</source>
      <translation>{name} 没有权重。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} has {size} MB, more than any model can read at once.</source>
      <translation>{name} 有 {size} MB，超过了任何模型一次能读的量。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} holds its weights as pickles, which can run any code when they are opened.</source>
      <translation>{name} 的权重是 pickle 格式，打开时可能执行任意代码。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} holds no chats.</source>
      <translation>{name} 中没有对话。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is a folder.</source>
      <translation>{name} 是文件夹。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is a model of the {kind} architecture, which Foreword cannot convert from GGUF.</source>
      <translation>{name} 是 {kind} 架构的模型，Foreword 无法从 GGUF 转换。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is a {kind}, which does not chat.</source>
      <translation>{name} 属于 {kind}，不能用来对话。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is damaged or cut off ({reason}).</source>
      <translation>{name} 已损坏或不完整（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is damaged.</source>
      <translation>{name} 已损坏。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is not a GGUF file.</source>
      <translation>{name} 不是 GGUF 文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is not a model.</source>
      <translation>{name} 不是模型。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is not a model: it has no config.json.</source>
      <translation>{name} 不是模型：其中没有 config.json。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is not a text file.</source>
      <translation>{name} 不是文本文件。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is not on this machine.</source>
      <translation>{name} 不在这台机器上。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name} is one part of a model in several files.</source>
      <translation>{name} 是分卷模型中的一部分。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{name}: its library could not be loaded ({reason}).</source>
      <translation>{name}：无法加载它的库（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{needed} would be needed and {free} are free, so {changes}.</source>
      <translation>原本需要 {needed}，可用 {free}，因此{changes}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{path} could not be used: {reason}.</source>
      <translation>无法使用 {path}：{reason}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{path} does not exist.</source>
      <translation>{path} 不存在。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{path} may not be read or written.</source>
      <translation>没有读写 {path} 的权限。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{precision} weights need a processor or a CUDA card, not {device}.</source>
      <translation>{precision} 权重需要处理器或 CUDA 显卡，不支持 {device}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{precision} weights need the package bitsandbytes.</source>
      <translation>{precision} 权重需要 bitsandbytes 包。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{weights} and {context} tokens of context fit: {needed} of {free}.</source>
      <translation>{weights}和 {context} 个词元的上下文放得下：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{weights} and {context} tokens of context with the draft fit: {needed} of {free}.</source>
      <translation>{weights}、{context} 个词元的上下文和草稿放得下：需要 {needed}，可用 {free}。</translation>
    </message>
    <message>
      <location filename="app/error_forms.py" />
      <source>{weights} are taken</source>
      <translation>改用 {weights}</translation>
    </message>
    <message>
      <location filename="app/error_texts.py" />
      <source>1 byte</source>
      <translation>1 字节</translation>
    </message>
    <message>
      <location filename="app/error_texts.py" />
      <source>; </source>
      <translation>；</translation>
    </message>
    <message>
      <location filename="app/error_texts.py" />
      <source>{count} bytes</source>
      <translation>{count} 字节</translation>
    </message>
    <message>
      <location filename="app/error_texts.py" />
      <source>{name} (part {number} of {count})</source>
      <translation>{name} [{number}/{count}]</translation>
    </message>
    <message>
      <location filename="app/error_texts.py" />
      <source>{name} {reason}.</source>
      <translation>{name} {reason}。</translation>
    </message>
    <message>
      <location filename="app/error_texts.py" />
      <source>{place}: {reason}</source>
      <translation>{place}：{reason}</translation>
    </message>
    <message>
      <location filename="app/file_dialog.py" />
      <source>Files of type:</source>
      <translation>文件类型：</translation>
    </message>
    <message>
      <location filename="app/file_dialog.py" />
      <source>Look in:</source>
      <translation>查找范围：</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>a chat is not as we know it</source>
      <translation>有一个对话与已知格式不符</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>from here on it is damaged</source>
      <translation>从这里起已损坏</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>from here on it is no JSON</source>
      <translation>从这里起不是 JSON</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it has no messages</source>
      <translation>没有消息</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it holds no chats</source>
      <translation>其中没有对话</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it is from a newer Foreword</source>
      <translation>来自更新版本的 Foreword</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it is locked with a password</source>
      <translation>有密码保护</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it is nested too deeply</source>
      <translation>嵌套过深</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it is no JSON</source>
      <translation>不是 JSON</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it is not as we know it</source>
      <translation>与已知格式不符</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>it is packed in a way we cannot open</source>
      <translation>压缩方式无法识别</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>message of "{who}"</source>
      <translation>“{who}”的消息</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>message of a tool</source>
      <translation>工具的消息</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>message without text</source>
      <translation>没有文字的消息</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>no program we know writes this</source>
      <translation>不是任何已知程序的格式</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>none of its messages has text</source>
      <translation>没有一条消息有文字</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>picture or file</source>
      <translation>图片或文件</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>{count} × {reason}</source>
      <translation>{count} × {reason}</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>{name}, chat {number}</source>
      <translation>{name} 第 {number} 个对话</translation>
    </message>
    <message>
      <location filename="app/import_forms.py" />
      <source>{name}, line {number}</source>
      <translation>{name} 第 {number} 行</translation>
    </message>
    <message>
      <location filename="app/language.py" />
      <source>, </source>
      <translation>、</translation>
    </message>
    <message>
      <location filename="app/language.py" />
      <source>{sentence}, {more}</source>
      <translation>{sentence}，{more}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Converting {name}, once</source>
      <translation>正在转换 {name}，仅此一次</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Copying {name}</source>
      <translation>正在复制 {name}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Downloading {name}</source>
      <translation>正在下载 {name}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Loading libraries…</source>
      <translation>正在加载程序库…</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Loading {name}</source>
      <translation>正在加载 {name}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Moving {name}</source>
      <translation>正在移动 {name}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Packing the weights of {name}, once</source>
      <translation>正在打包 {name} 的权重，仅此一次</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Reading the vocabulary of {name}</source>
      <translation>正在读取 {name} 的词表</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>Warming up {name}</source>
      <translation>正在预热 {name}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>nothing comes just now</source>
      <translation>暂时没有数据传来</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>the model</source>
      <translation>模型</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{done} of {total}</source>
      <translation>{done} / {total}</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{speed}/s</source>
      <translation>{speed}/秒</translation>
    </message>
    <message>
      <location filename="app/load_report.py" />
      <source>{time} left</source>
      <translation>剩余 {time}</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Allow its code…</source>
      <translation>允许运行其代码…</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Cancelling…</source>
      <translation>正在取消…</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Choose another…</source>
      <translation>选择其他…</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Let it draft by its text</source>
      <translation>让它通过文本起草</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>No model is loaded yet.</source>
      <translation>还没有加载模型。</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>Open a model…</source>
      <translation>打开模型…</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>The draft is being loaded…</source>
      <translation>正在加载草稿…</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>The model is being loaded…</source>
      <translation>正在加载模型…</translation>
    </message>
    <message>
      <location filename="app/loader.py" />
      <source>{reason} {name} stays loaded.</source>
      <translation>{reason}{name} 仍保持加载。</translation>
    </message>
    <message>
      <location filename="app/memory_notices.py" />
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <location filename="app/message_changes.py" />
      <source>The message and the one after it were deleted.</source>
      <translation>已删除此消息及其后的 1 条消息。</translation>
    </message>
    <message>
      <location filename="app/message_changes.py" />
      <source>The message and the {count:,} after it were deleted.</source>
      <translation>已删除此消息及其后的 {count:,} 条消息。</translation>
    </message>
    <message>
      <location filename="app/message_changes.py" />
      <source>The message was deleted.</source>
      <translation>消息已删除。</translation>
    </message>
    <message>
      <location filename="app/model_dialog.py" />
      <source>A GGUF file…</source>
      <translation>GGUF 文件…</translation>
    </message>
    <message>
      <location filename="app/model_dialog.py" />
      <source>A model's folder…</source>
      <translation>模型文件夹…</translation>
    </message>
    <message>
      <location filename="app/model_dialog.py" />
      <source>Which GGUF file?</source>
      <translation>选择哪个 GGUF 文件？</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>A trained draft reads hidden states of {target}, which runs on the transformers adapter here.</source>
      <translation>专训草稿要读取 {target} 的隐藏状态，而它在这里由 transformers 适配器运行。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Accept its conditions on the hub with your account, and enter a token.</source>
      <translation>请用你的账户在模型站上接受其条件，并输入令牌。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>All {count} are there in versions that fit.</source>
      <translation>全部 {count} 个都已安装，版本合适。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Allow it more.</source>
      <translation>请允许它使用更多。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Check the file.</source>
      <translation>请检查该文件。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Choose a folder in the transformers format.</source>
      <translation>请选择 transformers 格式的文件夹。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Choose a model of a family the fused decoder knows.</source>
      <translation>请选择融合解码器认识的系列中的模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Choose another draft, or load it again.</source>
      <translation>请选择另一个草稿，或重新加载它。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Choose another model, or mend its chat template.</source>
      <translation>请选择另一个模型，或修复其对话模板。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Choose bfloat16, or install a bitsandbytes that fits.</source>
      <translation>请选择 bfloat16，或安装合适的 bitsandbytes。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Close other programs, or choose a smaller model.</source>
      <translation>请关闭其他程序，或选择更小的模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Close other programs, start a new chat, or load a smaller model.</source>
      <translation>请关闭其他程序，开始新的对话，或加载更小的模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Close what uses the card.</source>
      <translation>请关闭占用显卡的程序。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Copy the whole token from the hub's page of access tokens.</source>
      <translation>请从模型站的访问令牌页面复制完整的令牌。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Delete the entry {name} in the system's own window for passwords.</source>
      <translation>请在系统自己的密码窗口中删除条目 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Delete {path} and start again.</source>
      <translation>请删除 {path} 后重新开始。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Do not use this model.</source>
      <translation>请不要使用这个模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Download the model again, or choose another folder.</source>
      <translation>请重新下载模型，或选择另一个文件夹。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Download the model again.</source>
      <translation>请重新下载模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>From GGUF it can: {kinds}.</source>
      <translation>可以从 GGUF 转换的有：{kinds}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get a newer file: version 2 or 3, little-endian.</source>
      <translation>请获取较新的文件：版本 2 或 3，小端序。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get config.json and the weights again, from the same place.</source>
      <translation>请从同一来源重新获取 config.json 和权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get config.json and the weights from the same place.</source>
      <translation>请从同一处获取 config.json 和权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get the model as a transformers folder (safetensors), or choose another model.</source>
      <translation>请获取该模型的 transformers 文件夹（safetensors），或选择另一个模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get the model in a common one, for example Q4_K_M or Q8_0.</source>
      <translation>请获取常见量化方式的模型，例如 Q4_K_M 或 Q8_0。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get the model's files again.</source>
      <translation>请重新获取模型的文件。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get the model's {file}, or choose another folder.</source>
      <translation>请获取模型的 {file}，或选择另一个文件夹。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get the safetensors version of this model ({file}).</source>
      <translation>请获取该模型的 safetensors 版本（{file}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get the weights again, all of them.</source>
      <translation>请重新获取全部权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Get tokenizer.json and the weights again, from the same place.</source>
      <translation>请从同一处重新获取 tokenizer.json 和权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Give a file with prompts, or take the built-in ones.</source>
      <translation>请提供一个含提示词的文件，或使用内置的。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Install a bitsandbytes that fits torch's CUDA version.</source>
      <translation>请安装与 torch 的 CUDA 版本相符的 bitsandbytes。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Install fonts, for example fonts-noto-core.</source>
      <translation>请安装字体，例如 fonts-noto-core。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Install one of these.</source>
      <translation>请安装其中之一。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Install them, or choose another model.</source>
      <translation>请安装它们，或选择另一个模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Install them, or choose another.</source>
      <translation>请安装它们，或选择另一个。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>It cannot be loaded: {reason}.</source>
      <translation>无法加载：{reason}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Its files may be damaged or incomplete: download the model again.</source>
      <translation>其文件可能已损坏或不完整：请重新下载模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Join the parts into one file first (llama-gguf-split --merge), or get the model in one file.</source>
      <translation>请先把各部分合并为一个文件（llama-gguf-split --merge），或获取单文件的模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Load the model with the fused decoder, or choose another way to draft.</source>
      <translation>请用融合解码器加载模型，或选择另一种起草方式。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Memory ran out: {name} holds {held}, this chat {chat}, and {free} are free.</source>
      <translation>内存用尽：{name} 占用 {held}，本对话占用 {chat}，空闲 {free}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Open the folder that holds the model's config.json and tokenizer.json.</source>
      <translation>请打开含有该模型 config.json 和 tokenizer.json 的文件夹。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Open the model's page on the hub with that account, accept its conditions, and try again.</source>
      <translation>请用该账户打开模型站上的模型页面，接受其条件，然后重试。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Open the program once, or leave them out.</source>
      <translation>请先打开程序一次，或不使用它们。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Past chats cannot be learned from ({error}).</source>
      <translation>无法从历史对话学习（{error}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Run `git lfs pull` there.</source>
      <translation>请在那里运行 `git lfs pull`。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Set the environment variable {variable} instead, or install one (GNOME Keyring, KWallet).</source>
      <translation>请改为设置环境变量 {variable}，或安装一个（GNOME Keyring、KWallet）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Start packaging/launch.py setup, which compiles them.</source>
      <translation>请运行 packaging/launch.py setup 来编译它们。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>That is not a token.</source>
      <translation>这不是令牌。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The code of this model needs more packages: {error}.</source>
      <translation>该模型的代码需要更多软件包：{error}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The config.json of {name} holds no settings.</source>
      <translation>{name} 的 config.json 中没有设置。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The device mps is not available to torch.</source>
      <translation>torch 无法使用设备 mps。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {draft} is not loaded.</source>
      <translation>草稿 {draft} 没有加载。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {name} cannot be read: {reason}.</source>
      <translation>无法读取草稿 {name}：{reason}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {name} cannot be used: its card is not JSON.</source>
      <translation>无法使用草稿 {name}：它的说明卡不是 JSON。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {name} cannot be used: its card {reason}.</source>
      <translation>无法使用草稿 {name}：它的说明卡有问题（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {name} cannot be used: its file {file} {reason}.</source>
      <translation>无法使用草稿 {name}：文件 {file} 有问题（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {name} has no {file}; other formats are not opened, since they can run code.</source>
      <translation>草稿 {name} 没有 {file}；其他格式可能运行代码，因此不会打开。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The draft {name} proposes token {token}, which {target} does not have.</source>
      <translation>草稿 {name} 提出词元 {token}，而 {target} 没有它。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The installed bitsandbytes has no library for CUDA {version}, which torch was built for.</source>
      <translation>已安装的 bitsandbytes 没有用于 CUDA {version} 的库，而 torch 是为它构建的。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The model hub gives {name} only to accounts that it knows, or does not have it.</source>
      <translation>模型站只向它认识的账户提供 {name}，或者没有它。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The model hub refuses {name} to the account of your token.</source>
      <translation>模型站拒绝向你的令牌所属的账户提供 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The model's chat template cannot be used: {reason}.</source>
      <translation>无法使用模型的对话模板：{reason}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The model's file {name} is damaged.</source>
      <translation>模型的文件 {name} 已损坏。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The model's file {name} is missing.</source>
      <translation>缺少模型的文件 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The model's files lack the tensor {name}.</source>
      <translation>模型的文件缺少张量 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The shard {name} is damaged ({error}).</source>
      <translation>分片 {name} 已损坏（{error}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The system's keyring did not delete the token ({reason}).</source>
      <translation>系统的密钥环没有删除令牌（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The system's keyring did not take the token ({reason}).</source>
      <translation>系统的密钥环没有接受令牌（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The tokenizer in {folder} cannot be read ({reason}: {detail}).</source>
      <translation>无法读取 {folder} 中的分词器（{reason}：{detail}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The tokenizer in {name} knows more tokens than the model has rows for ({rows}).</source>
      <translation>{name} 中的分词器认识的词元多于模型的行数（{rows}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weight {name} holds values that are not numbers.</source>
      <translation>权重 {name} 含有不是数字的值。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weights are not named as expected: neither {file} nor {index} is there.</source>
      <translation>权重的名称不符合预期：既没有 {file} 也没有 {index}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weights are only there as {file}, a format that can run code when it is opened.</source>
      <translation>权重只以 {file} 的形式存在，打开这种格式可能运行代码。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weights file {name} is missing ({count} are needed).</source>
      <translation>缺少权重文件 {name}（共需要 {count} 个）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weights in {name} do not fit config.json: the embeddings are {rows} x {columns} instead of {vocabulary} x {hidden}.</source>
      <translation>{name} 中的权重与 config.json 不符：嵌入矩阵是 {rows} x {columns}，而不是 {vocabulary} x {hidden}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weights {name} are of the type {type}, which no model computes with.</source>
      <translation>权重 {name} 的类型是 {type}，没有模型用它计算。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>The weights {name} have shape {found}, but config.json asks for {wanted}.</source>
      <translation>权重 {name} 的形状是 {found}，而 config.json 要求 {wanted}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>There are no prompts.</source>
      <translation>没有提示词。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>There is no device called {device}.</source>
      <translation>没有名为 {device} 的设备。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>There is no tokenizer in {folder}.</source>
      <translation>{folder} 中没有分词器。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>There is not enough memory to load {name} ({size}): {free} are free.</source>
      <translation>内存不足，无法加载 {name}（{size}）：空闲 {free}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>There is not enough memory to load {name}: {free} are free.</source>
      <translation>内存不足，无法加载 {name}：空闲 {free}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>There is nothing to ask the model.</source>
      <translation>没有可以问模型的内容。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>This model needs more packages: {error}.</source>
      <translation>该模型需要更多软件包：{error}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>This model's tokenizer is a program of its own, and running such programs is switched off.</source>
      <translation>该模型的分词器本身是一个程序，而运行这类程序已被关闭。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>This system has no keyring that could keep the token.</source>
      <translation>本系统没有可保存令牌的密钥环。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Train it again, or choose another draft.</source>
      <translation>请重新训练，或选择另一个草稿。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Unlock the keyring, or set the environment variable {variable} instead.</source>
      <translation>请解锁密钥环，或改为设置环境变量 {variable}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Use auto, cpu, cuda or mps.</source>
      <translation>请使用 auto、cpu、cuda 或 mps。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Write it with https:// in front.</source>
      <translation>请在前面写上 https://。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>Your chats cannot be read ({error}).</source>
      <translation>无法读取你的对话（{error}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>a text ends after the file</source>
      <translation>一段文本超出文件末尾</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>an array ends after the file</source>
      <translation>一个数组超出文件末尾</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json and the weights belong to different models, or are damaged: download the model again.</source>
      <translation>config.json 与权重属于不同的模型，或已损坏：请重新下载模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json asks for {layers} layers, more than any model has.</source>
      <translation>config.json 要求 {layers} 层，超过任何模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json does not describe a model: {reason}.</source>
      <translation>config.json 描述的不是模型：{reason}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json does not say how large the model is.</source>
      <translation>config.json 没有说明模型的大小。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json does not say what kind of model this is.</source>
      <translation>config.json 没有说明这是哪种模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json gives {name} a value that makes no sense: {value}.</source>
      <translation>config.json 中 {name} 的值没有意义：{value}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>config.json names a quantization that is not known: {method}.</source>
      <translation>config.json 指定了未知的量化方式：{method}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>describes the tensor {tensor} in a way that makes no sense</source>
      <translation>对张量 {tensor} 的描述不合理</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>gives the tensor {tensor} a shape that does not fit its data</source>
      <translation>给张量 {tensor} 的形状与其数据不符</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>has a damaged header</source>
      <translation>文件头已损坏</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>has a damaged header: its tensors overlap or leave holes</source>
      <translation>文件头已损坏：其中的张量互相重叠或留有空隙</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>holds the tensor {tensor} in an unknown number format, {format}</source>
      <translation>其中的张量 {tensor} 采用未知的数字格式 {format}</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>is cut off</source>
      <translation>不完整</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>is empty</source>
      <translation>是空的</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>is longer than its header says</source>
      <translation>比文件头所说的长</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>is not a JSON object</source>
      <translation>不是 JSON 对象</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>is not in the safetensors format</source>
      <translation>不是 safetensors 格式</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>is only a pointer of Git LFS, not the weights</source>
      <translation>只是 Git LFS 的指针，不是权重</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it asks for an alignment of {value}</source>
      <translation>其中要求的对齐方式是 {value}</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it cannot be reached</source>
      <translation>无法连接</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it does not have the model ({status})</source>
      <translation>没有这个模型（{status}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it ends too early</source>
      <translation>文件过早结束</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it gave an answer that is of no use ({status})</source>
      <translation>应答无用（{status}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it has a fault of its own ({status})</source>
      <translation>服务器自身出错（{status}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it has had too many requests ({status})</source>
      <translation>请求过多（{status}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it has no safetensors files for this model</source>
      <translation>没有该模型的 safetensors 文件</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it has no wheel of {name} {version}</source>
      <translation>没有 {name} {version} 的安装包</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it has the model only as a pickle, which can run any code when it is opened; a version with safetensors files is needed</source>
      <translation>只有 pickle 格式的模型，打开时可能运行任何代码；需要 safetensors 版本</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it holds a number that makes no sense</source>
      <translation>其中有不合理的数字</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it holds a value of the unknown type {kind}</source>
      <translation>其中有未知类型 {kind} 的值</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it no longer has the same file</source>
      <translation>已不再提供同一个文件</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it refuses access ({status})</source>
      <translation>拒绝访问（{status}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it sends another part than was asked for</source>
      <translation>发送的部分与请求的不同</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it sends from one address to another without end</source>
      <translation>在地址之间无休止地转发</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it sends more than the file holds</source>
      <translation>发送的内容超过文件大小</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it sends the file in a form that was not asked for</source>
      <translation>它以未请求的形式发送文件</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it sends to an address without encryption</source>
      <translation>转到了未加密的地址</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>it stopped answering</source>
      <translation>停止了应答</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>its answer is too long</source>
      <translation>应答过长</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>its answer makes no sense</source>
      <translation>应答没有意义</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>its certificate is not trusted</source>
      <translation>它的证书不受信任</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>model hub</source>
      <translation>模型站</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>no answer</source>
      <translation>没有应答</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>no answer within {seconds} s</source>
      <translation>{seconds} 秒内没有应答</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>no source is known</source>
      <translation>没有已知的来源</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>not asked, because HF_HUB_OFFLINE is set</source>
      <translation>因设置了 HF_HUB_OFFLINE 而没有请求</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>nothing came for {seconds} s</source>
      <translation>{seconds} 秒内没有数据</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>package index</source>
      <translation>软件包索引</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>pip could not be started ({reason})</source>
      <translation>无法启动 pip（{reason}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>pip failed without a reason</source>
      <translation>pip 失败，没有说明原因</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>pip says: {words}</source>
      <translation>pip 说：{words}</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the connection broke off</source>
      <translation>连接中断</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the connection failed ({kind})</source>
      <translation>连接失败（{kind}）</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the model in the package has another checksum than it should</source>
      <translation>安装包中模型的校验和不符</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the package is damaged, or does not hold the model</source>
      <translation>安装包已损坏，或其中没有该模型</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the tensor {tensor} ends after the file</source>
      <translation>张量 {tensor} 超出文件末尾</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the tensor {tensor} has an impossible shape</source>
      <translation>张量 {tensor} 的形状不可能存在</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>the tensor {tensor} has {count} dimensions</source>
      <translation>张量 {tensor} 有 {count} 个维度</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>tokenizer.json is damaged: it holds no vocabulary.</source>
      <translation>tokenizer.json 已损坏：其中没有词表。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{folder} has no {name}.</source>
      <translation>{folder} 中没有 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{folder} holds no weights.</source>
      <translation>{folder} 中没有权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{index} is not complete: it must name all weights.</source>
      <translation>{index} 不完整：必须列出全部权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{index} points outside the folder: {name}.</source>
      <translation>{index} 指向文件夹之外：{name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} arrives damaged: its checksum is wrong</source>
      <translation>{name} 收到时已损坏：校验和不符</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} became shorter while it was read.</source>
      <translation>读取 {name} 时，文件变短了。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} cannot be planned for: its files cannot be read.</source>
      <translation>无法为 {name} 做内存规划：它的文件无法读取。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} cannot be read: it is not a JSON object.</source>
      <translation>无法读取 {name}：它不是 JSON 对象。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} cannot be read: {reason}.</source>
      <translation>无法读取 {name}：{reason}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} could not be read: {reason}.</source>
      <translation>无法读取 {name}：{reason}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} does not say its {key}, or says nonsense.</source>
      <translation>{name} 没有说明 {key}，或说明没有意义。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} gives {key} a value that makes no sense.</source>
      <translation>{name} 中 {key} 的值没有意义。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} gives {what} a shape that does not fit the rest.</source>
      <translation>{name} 中 {what} 的形状与其余部分不符。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has a damaged tokenizer.</source>
      <translation>{name} 的分词器已损坏。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has a tokenizer of the kind {kind}, which Foreword cannot convert.</source>
      <translation>{name} 的分词器类型是 {kind}，Foreword 无法转换。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has half a tokenizer: merges.txt is missing.</source>
      <translation>{name} 的分词器不完整：缺少 merges.txt。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has heads of a shape that Foreword cannot convert.</source>
      <translation>{name} 的注意力头形状无法由 Foreword 转换。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has layers of different shapes, which Foreword cannot convert.</source>
      <translation>{name} 各层的形状不同，Foreword 无法转换。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has more tokens than embeddings.</source>
      <translation>{name} 的词元多于嵌入。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} has no weights: {file} holds none.</source>
      <translation>{name} 没有权重：{file} 是空的。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} holds a vocabulary without its merges.</source>
      <translation>{name} 的词表缺少合并规则。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} holds a vocabulary without its scores.</source>
      <translation>{name} 的词表缺少分数。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} holds no token embeddings: it is not a whole model.</source>
      <translation>{name} 没有词元嵌入：不是完整的模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} holds no tokenizer.</source>
      <translation>{name} 中没有分词器。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is GGUF version {version}, which cannot be read.</source>
      <translation>{name} 是 GGUF 版本 {version}，无法读取。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is cut short: it ends inside its header.</source>
      <translation>{name} 不完整：在文件头中就结束了。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is cut short: {size} of {whole} bytes are there.</source>
      <translation>{name} 不完整：只有 {whole} 字节中的 {size}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is damaged: it does not begin like a safetensors file.</source>
      <translation>{name} 已损坏：开头不像 safetensors 文件。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is damaged: it holds no settings.</source>
      <translation>{name} 已损坏：其中没有设置。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is damaged: it is not valid JSON.</source>
      <translation>{name} 已损坏：不是有效的 JSON。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is damaged: it names no files.</source>
      <translation>{name} 已损坏：其中没有列出文件。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is empty.</source>
      <translation>{name} 是空的。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is missing, or its link leads nowhere.</source>
      <translation>{name} 不存在，或其链接指向空处。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is missing.</source>
      <translation>缺少 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is not a draft: it has no {file}.</source>
      <translation>{name} 不是草稿：缺少 {file}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is not a file.</source>
      <translation>{name} 不是文件。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is not the address of a hub.</source>
      <translation>{name} 不是模型站的地址。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} is only a pointer of Git LFS.</source>
      <translation>{name} 只是 Git LFS 的指针。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} lacks the weight {weight}.</source>
      <translation>{name} 缺少权重 {weight}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} lacks the weights of layer {layer} of {layers}.</source>
      <translation>{name} 缺少第 {layer} 层（共 {layers} 层）的权重。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} lacks the weights {weight} that {index} promises.</source>
      <translation>{name} 缺少 {index} 所列的权重 {weight}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} lacks weights ({count}), first {weight}.</source>
      <translation>{name} 缺少 {count} 个权重，第一个是 {weight}。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} may not be read.</source>
      <translation>没有读取 {name} 的权限。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} scales positions in a way that Foreword does not know ({kind}).</source>
      <translation>{name} 缩放位置的方式 Foreword 不认识（{kind}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} scales positions in a way that Foreword does not know.</source>
      <translation>{name} 缩放位置的方式 Foreword 不认识。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} splits text in a way that Foreword does not know ({kind}).</source>
      <translation>{name} 切分文本的方式 Foreword 不认识（{kind}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} tells of {layers} layers, more than any model has.</source>
      <translation>{name} 声称有 {layers} 层，超过任何模型。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} uses a kind of quantization that Foreword does not know (number {kind}).</source>
      <translation>{name} 使用 Foreword 不认识的量化方式（编号 {kind}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{name} {reason}, which does not fit a model of the {kind} architecture.</source>
      <translation>{name} 与 {kind} 架构的模型不符（{reason}）。</translation>
    </message>
    <message>
      <location filename="app/model_error_forms.py" />
      <source>{text}, library for {device} loaded.</source>
      <translation>{text}，已加载 {device} 的库。</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>A reply is being written.</source>
      <translation>正在写回复。</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Allow and load</source>
      <translation>允许并加载</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Change the model?</source>
      <translation>更换模型？</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Do not allow</source>
      <translation>不允许</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>End it and load</source>
      <translation>中断并加载</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>End it and unload</source>
      <translation>中断并卸载</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>It brings programs of its own ({files}). They run with your rights: they can read, change and send your files, and nobody has checked them. Allow this only if you trust where the model comes from. It is remembered for this model until its programs change.</source>
      <translation>它自带程序（{files}）。这些程序以你的权限运行，可以读取、修改和发送你的文件，而且没有人检查过它们。请仅在信任模型来源时允许。此选择会为该模型记住，直到它的程序改变。</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Let it go on</source>
      <translation>让它继续</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Loading another model ends it.</source>
      <translation>加载其他模型会中断它。</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Open a model</source>
      <translation>打开模型</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Run the model's own code?</source>
      <translation>运行模型自带的代码？</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>Unloading the model ends it.</source>
      <translation>卸载模型会中断它。</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>What was written so far stays in the chat.</source>
      <translation>已经写出的内容会保留在对话中。</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>none in its folder</source>
      <translation>其文件夹中没有</translation>
    </message>
    <message>
      <location filename="app/model_loading.py" />
      <source>{name} wants to run its own code on this machine.</source>
      <translation>{name} 要在这台机器上运行自带的代码。</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>A model is being loaded: move them when it is there.</source>
      <translation>正在加载模型：请等加载完成后再移动。</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Add a model</source>
      <translation>添加模型</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Models are being downloaded: wait for them, or pause them.</source>
      <translation>正在下载模型：请等待完成，或先暂停。</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Models here: {count}, {size}</source>
      <translation>本机模型：{count} 个，共 {size}</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>Searching the hub…</source>
      <translation>正在搜索模型站…</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>The hub has nothing of that name.</source>
      <translation>模型站上没有这个名称。</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>no room for it in memory</source>
      <translation>内存中放不下</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>{name} was added.</source>
      <translation>已添加 {name}。</translation>
    </message>
    <message>
      <location filename="app/model_manager.py" />
      <source>{name} was here already.</source>
      <translation>{name} 之前已在这里。</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Chinese</source>
      <translation>中文</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>English</source>
      <translation>英语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>French</source>
      <translation>法语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>German</source>
      <translation>德语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Hindi</source>
      <translation>印地语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Italian</source>
      <translation>意大利语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Its weights are pickles, which can run any code: look for a version with safetensors files.</source>
      <translation>它的权重是 pickle 格式，可能执行任意代码：请寻找提供 safetensors 文件的版本。</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Japanese</source>
      <translation>日语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Korean</source>
      <translation>韩语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Portuguese</source>
      <translation>葡萄牙语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Russian</source>
      <translation>俄语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Spanish</source>
      <translation>西班牙语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>Thai</source>
      <translation>泰语</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>The hub gives it only to accounts that accepted its conditions: enter a token under Model hub.</source>
      <translation>模型站只向接受其条款的账号提供：请在“模型站”中填写令牌。</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>abilities</source>
      <translation>能力</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>checked</source>
      <translation>核对日期</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>context</source>
      <translation>上下文</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>disk</source>
      <translation>磁盘</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>download</source>
      <translation>下载</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>fits at 16 bits, about {sixteen} of the {free} that are free</source>
      <translation>16 位可用，约需 {sixteen}，可用内存 {free}</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>fits at 4 bits, about {four} of the {free} that are free</source>
      <translation>4 位可用，约需 {four}，可用内存 {free}</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>graphics card {number}</source>
      <translation>显卡 {number}</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>languages</source>
      <translation>语言</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>licence</source>
      <translation>许可证</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>loaded</source>
      <translation>已加载</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>parameters</source>
      <translation>参数量</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>thinking</source>
      <translation>思考</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>too large: about {four} at 4 bits, and {free} are free</source>
      <translation>太大：4 位约需 {four}，可用内存 {free}</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>tools</source>
      <translation>工具</translation>
    </message>
    <message>
      <location filename="app/model_rows.py" />
      <source>{size} on {device}</source>
      <translation>{size}，在{device}上</translation>
    </message>
    <message>
      <location filename="app/models_place.py" />
      <source>Models are being moved already.</source>
      <translation>模型正在移动中。</translation>
    </message>
    <message>
      <location filename="app/models_place.py" />
      <source>Moving models was cut short. What is left in {folder} is not the same in the new folder: look at it, and delete what you do not need.</source>
      <translation>移动模型时中断了。{folder} 中剩下的内容与新文件夹中的不同：请查看，并删除不需要的内容。</translation>
    </message>
    <message>
      <location filename="app/models_place.py" />
      <source>Open the folder</source>
      <translation>打开文件夹</translation>
    </message>
    <message>
      <location filename="app/models_place.py" />
      <source>Where models live</source>
      <translation>模型存放位置</translation>
    </message>
    <message>
      <location filename="app/models_place.py" />
      <source>{size} are free there</source>
      <translation>该处可用 {size}</translation>
    </message>
    <message>
      <location filename="app/preset_changes.py" />
      <source>The preset "{name}" has the settings of this chat now.</source>
      <translation>预设“{name}”已改为当前对话的设置。</translation>
    </message>
    <message>
      <location filename="app/preset_changes.py" />
      <source>The preset "{name}" was removed; chats that use it keep their settings.</source>
      <translation>预设“{name}”已移除；使用它的对话保留其设置。</translation>
    </message>
    <message>
      <location filename="app/refusals.py" />
      <source>And {count} more.</source>
      <translation>另有 {count} 项。</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Acceptance by position</source>
      <translation>各位置的接受率</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Accepted of all drafted (yield)</source>
      <translation>占全部起草词元的比例（产出率）</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Bonus tokens</source>
      <translation>额外的词元</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Copied from earlier chats</source>
      <translation>抄自历史对话</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Draft</source>
      <translation>草稿</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Draft length (K)</source>
      <translation>草稿长度（K）</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Drafted tokens</source>
      <translation>起草的词元</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Expected gain</source>
      <translation>预期增益</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Length of the prompt</source>
      <translation>提示词长度</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Length of the reply</source>
      <translation>回复长度</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Longest reply</source>
      <translation>回复上限</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Made with</source>
      <translation>生成时的设置</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Measured gain</source>
      <translation>实测增益</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Min-p</source>
      <translation>Min-p</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Model</source>
      <translation>模型</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of that, drafting</source>
      <translation>其中起草</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of that, everything else</source>
      <translation>其中其他</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of that, read before</source>
      <translation>其中之前已读</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of that, verifying</source>
      <translation>其中验证</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of those, accepted</source>
      <translation>其中被接受</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of those, drafted while verifying</source>
      <translation>其中在验证期间起草</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Of those, judged by the target</source>
      <translation>其中经目标模型检查</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Reading the prompt</source>
      <translation>读取提示词</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Recovered tokens</source>
      <translation>修正的词元</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Repetition penalty</source>
      <translation>重复惩罚</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Rounds</source>
      <translation>轮数</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Rounds by draft length (K)</source>
      <translation>按草稿长度（K）的轮数</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Rounds without a draft</source>
      <translation>没有草稿的轮数</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Seed</source>
      <translation>随机种子</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Speculation</source>
      <translation>投机解码</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Speed</source>
      <translation>速度</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Task</source>
      <translation>任务</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Temperature</source>
      <translation>温度</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Time decoding</source>
      <translation>解码时间</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Time to first token</source>
      <translation>首词元延迟</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Tokens per round</source>
      <translation>每轮词元</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Top-k</source>
      <translation>Top-k</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Top-p</source>
      <translation>Top-p</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>Words</source>
      <translation>文字</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>always {k}</source>
      <translation>固定为 {k}</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>edited by you</source>
      <translation>由你编辑过</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>off</source>
      <translation>关闭</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>on</source>
      <translation>开启</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{drafted} drafted, {accepted} accepted</source>
      <translation>起草 {drafted}，接受 {accepted}</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{k} at most, as it proves best</source>
      <translation>最大 {k}，按实测效果调整</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{share:.0f} %</source>
      <translation>{share:.0f} %</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{time} ({speed:,.0f} tok/s)</source>
      <translation>{time}（{speed:,.0f} 词元/秒）</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{value:.0f} %</source>
      <translation>{value:.0f} %</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{value:.1f} tok/s</source>
      <translation>{value:.1f} 词元/秒</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{value:.2f} s</source>
      <translation>{value:.2f} 秒</translation>
    </message>
    <message>
      <location filename="app/reply_figures.py" />
      <source>{value:g} (always the likeliest token)</source>
      <translation>{value:g}（总是取最可能的词元）</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>128</source>
      <translation>128</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>16 bits</source>
      <translation>16 位</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>2 bits (keys 5)</source>
      <translation>2 位（键 5 位）</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>32</source>
      <translation>32</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>4 bits (keys 5)</source>
      <translation>4 位（键 5 位）</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>4-bit</source>
      <translation>4 位</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>4-bit block</source>
      <translation>4 位分块</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>4-bit compute type</source>
      <translation>4 位计算类型</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>4-bit kind</source>
      <translation>4 位类型</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>64</source>
      <translation>64</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>8 bits</source>
      <translation>8 位</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>8-bit</source>
      <translation>8 位</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>A draft writes a few tokens ahead and the model checks them in one pass; automatic pauses while that loses.</source>
      <translation>由草稿提前写出几个词元，模型一次检查完；设为自动时，不划算就暂停。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Above 1 makes words that were already used less likely; 1 changes nothing.</source>
      <translation>大于 1 时，用过的词更不容易再出现；1 表示不改变。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Also let a model with another vocabulary draft, by its text: replies stay exactly the target's, but every draft is spelled twice and loses its last word, so it gains less; holds for the next draft that is loaded.</source>
      <translation>也允许词表不同的模型通过文本起草：回复仍与目标模型完全一致，但每份草稿要拼写两次并丢掉最后一个词，所以增益较小；下次加载草稿时生效。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Animations: whether gauges walk to their values and panels slide in, or everything is in its place at once.</source>
      <translation>动画：仪表逐渐走到新数值、面板滑入，还是一切立即到位。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Asks the package index which versions of Foreword there are; nothing about you, your chats or this machine is sent, and nothing is downloaded or installed.</source>
      <translation>向软件包索引查询 Foreword 有哪些版本；不会发送有关你、你的对话或本机的任何信息，也不会下载或安装任何内容。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Automatic takes what proves fastest for code and for prose; n-gram repeats what the chat already says and costs nothing; a model is a small sibling of the target; trained is a head made for this very target; both takes the n-gram where the text repeats itself at length and the model elsewhere.</source>
      <translation>自动：选用对代码和文章实测最快的；n-gram：重复对话里出现过的内容，没有开销；模型：与目标模型同系列的小模型；专训：专为这个目标模型训练的草稿头；两者：文本大段重复时用 n-gram，其余用模型。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Both</source>
      <translation>两者</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Card 1</source>
      <translation>显卡 1</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Card 2</source>
      <translation>显卡 2</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Card 3</source>
      <translation>显卡 3</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Card 4</source>
      <translation>显卡 4</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Context length</source>
      <translation>上下文长度</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Dark</source>
      <translation>深色</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Double quantization</source>
      <translation>双重量化</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Draft from what was said in earlier chats, too: where a reply repeats it, it comes at once; nothing leaves this machine, a chat can be left out in its menu, and what is deleted is forgotten.</source>
      <translation>也用以前对话中说过的内容起草：回复重复它们时，文字会立刻出现。内容不会离开这台机器；可以在对话的菜单中排除它，已删除的内容会被忘记。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Draft model</source>
      <translation>草稿模型</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Draft precision</source>
      <translation>草稿精度</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Drafts of other families</source>
      <translation>其他系列的草稿</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Dynamic length</source>
      <translation>动态长度</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>English / 英语</source>
      <translation>English / 英语</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>FP4</source>
      <translation>FP4</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Folders, one a line, of draft models that are kept beside the first, for the task each of them is fastest at.</source>
      <translation>每行一个文件夹：除第一个之外一并保留的草稿模型，各自用于最快的任务。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>For 4-bit weights on a graphics card: NF4 is the more exact of the two.</source>
      <translation>用于显卡上的 4 位权重：两者中 NF4 更精确。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>For 4-bit weights on a graphics card: how many weights share a scale; fewer are more exact.</source>
      <translation>用于显卡上的 4 位权重：多少个权重共用一个缩放系数；越少越精确。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>For 4-bit weights on a graphics card: the numbers in which their products are made.</source>
      <translation>用于显卡上的 4 位权重：乘积以哪种数值计算。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>For 4-bit weights on a graphics card: the scales are packed as well, which saves a tenth of the memory.</source>
      <translation>用于显卡上的 4 位权重：缩放系数也一并压缩，可省十分之一内存。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>For 4-bit weights on the processor: how many of them share a scale; 64 take up to 10 % and 128 up to 15 % less memory, but small models pay dearly (a third more perplexity at 135 million weights), and a GGUF file's own blocks stay.</source>
      <translation>用于处理器上的 4 位权重：多少个权重共用一个缩放系数；64 个最多省 10 % 内存，128 个最多省 15 %，但小模型代价很大（1.35 亿权重的模型困惑度上升三分之一），GGUF 文件自带的分块保持不变。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Full</source>
      <translation>完整</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Further draft models</source>
      <translation>更多草稿模型</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How exactly a draft model's weights are held; automatic takes 4 bits where that is fast, and 16 elsewhere.</source>
      <translation>草稿模型的权重以多高的精度保存；自动时，4 位较快就用 4 位，否则用 16 位。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How exactly the model keeps what it has read, where Foreword's own processor code runs it: 8 bits need half the memory, with perplexity as before; 4 bits a third, with +1 % on SmolLM2 and +1 % on Qwen 0.5B; 2 bits over a quarter, with +12 % on SmolLM2 and +3 % on Qwen 0.5B; on graphics cards and with other models it stays at 16 bits.</source>
      <translation>模型以多高的精度保留已读的内容（在 Foreword 自带的处理器代码运行之处有效）：8 位只占一半内存，困惑度不变；4 位占三分之一，困惑度在 SmolLM2 上 +1 %，在 Qwen 0.5B 上 +1 %；2 位占四分之一多，在 SmolLM2 上 +12 %，在 Qwen 0.5B 上 +3 %。在显卡上和其他模型上保持 16 位。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How exactly the weights are held: fewer bits need less memory and are usually faster.</source>
      <translation>权重以多高的精度保存：位数越少越省内存，通常也更快。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How large the words of a chat are, in percent; Ctrl with +, - or 0, and Ctrl with the wheel, change it too.</source>
      <translation>对话文字的大小，以百分比表示。也可以用 Ctrl 加 +、- 或 0，或按住 Ctrl 滚动滚轮来调整。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How many tokens are drafted each round (K); with a dynamic length, the first guess.</source>
      <translation>每轮起草多少个词元（K）；动态长度时为初始值。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>How many tokens of a chat the model can see at once; longer needs more memory.</source>
      <translation>模型一次能看到对话的多少个词元；越长越占内存。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Keep only this many of the likeliest tokens; 0 keeps all.</source>
      <translation>只保留这么多个最可能的词元；0 表示全部保留。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Keep the likeliest tokens that together reach this probability; 1 keeps all.</source>
      <translation>保留累计概率达到此值的最可能的词元；1 表示全部保留。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Language</source>
      <translation>语言</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Larger than memory</source>
      <translation>超出内存</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Learn from past chats</source>
      <translation>从历史对话学习</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Least acceptance</source>
      <translation>最低接受率</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Leave out tokens less likely than this share of the likeliest one; 0 keeps all.</source>
      <translation>去掉概率低于最大概率这一比例的词元；0 表示全部保留。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Let a model be loaded that does not fit: layers without room on the graphics card lie in main memory, those without room there on the disk, and every pass fetches them again, which is many times slower.</source>
      <translation>允许加载放不下的模型：显卡放不下的层留在内存，内存也放不下的留在磁盘，每次前向计算都要重新读取，会慢很多倍。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Let the draft length follow what is being accepted; off keeps it fixed.</source>
      <translation>让草稿长度随接受情况调整；关闭则固定。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Light</source>
      <translation>浅色</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Light, dark, or whatever the system uses.</source>
      <translation>浅色、深色，或跟随系统。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Longest draft</source>
      <translation>最大草稿长度</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Look for a newer version once a day</source>
      <translation>每天检查一次新版本</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Low is steady and fast; high is lively and slower, as fewer drafted tokens fit; 0 takes the likeliest token.</source>
      <translation>低则稳定且快；高则活泼但更慢，因为能用上的起草词元更少；0 总是取概率最大的词元。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Mark in the reply which words the draft wrote and which the model wrote itself.</source>
      <translation>在回复中标出哪些由草稿写出，哪些由模型自己写出。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Motion</source>
      <translation>动态效果</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>N-gram</source>
      <translation>n-gram</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>NF4</source>
      <translation>NF4</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Name new chats</source>
      <translation>为新对话命名</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Off</source>
      <translation>关闭</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>On</source>
      <translation>开启</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Reduced</source>
      <translation>减少</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Show drafted tokens</source>
      <translation>标出起草的词元</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>System prompt</source>
      <translation>系统提示词</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Text size</source>
      <translation>文字大小</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The language of the window, which is made anew for it; what the model writes follows your questions.</source>
      <translation>窗口的语言，更改时会重新打开窗口；模型的回答则随你的提问。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The longest a dynamic draft may grow.</source>
      <translation>动态草稿最多可以有多长。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The model you chat with: its name, or its folder.</source>
      <translation>用来对话的模型：名称或所在文件夹。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The reply stops after this many tokens.</source>
      <translation>达到这么多词元后，回复停止。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The same seed gives the same reply to the same question; empty draws a new one each time.</source>
      <translation>种子相同、问题相同，回复就相同；留空则每次随机。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>The small model that drafts; it must share the vocabulary of the model you chat with.</source>
      <translation>用来起草的小模型；它的词表必须与对话模型相同。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>Trained</source>
      <translation>专训</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>What holds a draft model: automatic takes a graphics card beside the model's where there is one with room, so that the next draft is written while the model checks the last one, else the model's own card, else the processor.</source>
      <translation>草稿模型放在哪里：“自动”优先选模型所在显卡之外有空间的另一张显卡，这样模型核对上一份草稿时，下一份草稿已在起草；否则放在模型的显卡上，再否则由处理器承担。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>What is being written, which the draft follows; automatic sees it in the text.</source>
      <translation>正在写的内容类型，草稿随之调整；自动时根据文本判断。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>What the model is told before every chat, such as its role or the language to answer in.</source>
      <translation>每次对话前告诉模型的话，例如它的角色或回答所用的语言。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>When fewer of the drafted tokens than this are accepted, a dynamic draft gets shorter.</source>
      <translation>起草词元的接受率低于此值时，动态草稿会变短。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>When it has nothing else to do, the model that answered gives a new chat its title.</source>
      <translation>空闲时，由回答的模型为新对话起标题。</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>bfloat16</source>
      <translation>bfloat16</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>float16</source>
      <translation>float16</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>float32</source>
      <translation>float32</translation>
    </message>
    <message>
      <location filename="app/settings.py" />
      <source>中文 / Chinese</source>
      <translation>中文 / Chinese</translation>
    </message>
    <message>
      <location filename="app/start.py" />
      <source>Foreword is already running, but its window does not answer.</source>
      <translation>Foreword 已在运行，但它的窗口没有响应。</translation>
    </message>
    <message>
      <location filename="app/start.py" />
      <source>Wait for a moment and start it again, or end it in the system's list of programs.</source>
      <translation>请稍候再启动，或在系统的任务管理器中结束它。</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Connection refused</source>
      <translation>连接被拒绝</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Connection reset by peer</source>
      <translation>连接被对方中断</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Connection timed out</source>
      <translation>连接超时</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Device or resource busy</source>
      <translation>正被占用</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>File exists</source>
      <translation>已有同名的文件或文件夹</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>File name too long</source>
      <translation>名称太长</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Input/output error</source>
      <translation>读写出错</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Invalid cross-device link</source>
      <translation>在另一个磁盘上</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Is a directory</source>
      <translation>这是一个文件夹</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Network is unreachable</source>
      <translation>网络不可用</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>No route to host</source>
      <translation>无法连到对方</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>No space left on device</source>
      <translation>磁盘已满</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>No such file or directory</source>
      <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Not a directory</source>
      <translation>路径中有一处不是文件夹</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Operation not permitted</source>
      <translation>不允许这样做</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Permission denied</source>
      <translation>没有权限</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Read-only file system</source>
      <translation>磁盘是只读的</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>Too many open files</source>
      <translation>打开的文件太多</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>attempt to write a readonly database</source>
      <translation>对话文件是只读的</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>database disk image is malformed</source>
      <translation>对话文件已损坏</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>database is locked</source>
      <translation>对话文件正被占用</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>database or disk is full</source>
      <translation>磁盘已满</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>disk I/O error</source>
      <translation>磁盘读写出错</translation>
    </message>
    <message>
      <location filename="app/system_reasons.py" />
      <source>unable to open database file</source>
      <translation>无法打开对话文件</translation>
    </message>
    <message>
      <location filename="app/taking_in.py" />
      <source>Taking in {name}…</source>
      <translation>正在添加 {name}…</translation>
    </message>
    <message>
      <location filename="app/training.py" />
      <source>A draft was trained for this model. It will be tried against the others.</source>
      <translation>已为这个模型训练好草稿，它会与其他草稿一起试用。</translation>
    </message>
    <message>
      <location filename="app/training.py" />
      <source>Load it now</source>
      <translation>立即加载</translation>
    </message>
    <message>
      <location filename="app/training.py" />
      <source>The training could not be started ({error}).</source>
      <translation>无法开始训练（{error}）。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>1 chat was restored.</source>
      <translation>已恢复 1 个对话。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>1 of {count:,} files could be read, and nothing in it was new.</source>
      <translation>{count:,} 个文件中读取了 1 个，其中没有新内容。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>1 of {count:,} files was imported.</source>
      <translation>{count:,} 个文件中已导入 1 个。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Chats (*.zip *.json *.jsonl *.ndjson)</source>
      <translation>对话 (*.zip *.json *.jsonl *.ndjson)</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Export all chats into this folder</source>
      <translation>把所有对话导出到这个文件夹</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Export as</source>
      <translation>导出为</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Exporting {done:,} of {total:,} chats…</source>
      <translation>正在导出 {done:,} / {total:,} 个对话…</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Foreword chats</source>
      <translation>Foreword 对话</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Import a folder of chats, such as LM Studio's conversations</source>
      <translation>导入存放对话的文件夹，例如 LM Studio 的 conversations</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Import chats of ChatGPT, ShareGPT, OpenAI, LM Studio or Foreword</source>
      <translation>导入 ChatGPT、ShareGPT、OpenAI、LM Studio 或 Foreword 的对话</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Nothing in {name} could be imported.</source>
      <translation>{name} 中没有可导入的内容。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>Nothing in {name} was new.</source>
      <translation>{name} 中没有新内容。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>The chat was exported to {name}.</source>
      <translation>已将该对话导出到 {name}。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>The import was cancelled. What was read so far is kept.</source>
      <translation>已取消导入。此前读取的内容会保留。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>There is no chat to export yet.</source>
      <translation>还没有可导出的对话。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>and {count:,} more</source>
      <translation>另有 {count:,} 项</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{count:,} chats were exported to {name}.</source>
      <translation>已将 {count:,} 个对话导出到 {name}。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{count:,} chats were restored.</source>
      <translation>已恢复 {count:,} 个对话。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{count:,} files</source>
      <translation>{count:,} 个文件</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{count:,} files were imported.</source>
      <translation>已导入 {count:,} 个文件。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{name} was imported.</source>
      <translation>已导入 {name}。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{taken:,} of {count:,} files could be read, and nothing in them was new.</source>
      <translation>{count:,} 个文件中读取了 {taken:,} 个，其中没有新内容。</translation>
    </message>
    <message>
      <location filename="app/transfer.py" />
      <source>{taken:,} of {count:,} files were imported.</source>
      <translation>{count:,} 个文件中已导入 {taken:,} 个。</translation>
    </message>
    <message>
      <location filename="app/trial_run.py" />
      <source>Saved as {name}.</source>
      <translation>已另存为 {name}。</translation>
    </message>
    <message>
      <location filename="app/trial_run.py" />
      <source>Show</source>
      <translation>打开</translation>
    </message>
    <message>
      <location filename="app/trial_run.py" />
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>All settings are back at their defaults, also which model is loaded at the start. Chats, presets and models stay.</source>
      <translation>所有设置已恢复默认，包括启动时加载哪个模型；对话、预设和模型都保留不变。</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Choose a model…</source>
      <translation>选择模型…</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Foreword did not come up the last times, so no model was loaded. Your chats are intact.</source>
      <translation>Foreword 前几次都没能启动，所以这次没有加载模型。你的对话完好无损。</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Foreword ended unexpectedly last time. Your chats are intact.</source>
      <translation>Foreword 上次意外退出。你的对话完好无损。</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Load the model</source>
      <translation>加载模型</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Log</source>
      <translation>日志</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Reset the settings</source>
      <translation>重置设置</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Show the report</source>
      <translation>显示报告</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Something went wrong inside Foreword. Your chats are kept. Start it again if it behaves oddly.</source>
      <translation>Foreword 内部出错。你的对话已保留。如果运行异常，请重新启动。</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Start again</source>
      <translation>重新启动</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>Started in safe mode, as you asked: no model was loaded.</source>
      <translation>已按你的要求以安全模式启动：未加载模型。</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>This was saved for whoever mends it. Nothing of your chats is in it.</source>
      <translation>已为修复者保存下面的内容，其中不含对话。</translation>
    </message>
    <message>
      <location filename="app/troubleshooting.py" />
      <source>What Foreword noted of its work: versions, times, errors. Nothing of your chats is in it.</source>
      <translation>Foreword 的运行记录：版本、时间、错误，不含对话内容。</translation>
    </message>
    <message>
      <location filename="app/undoing.py" />
      <source>Undo (Ctrl+Z)</source>
      <translation>撤销 (Ctrl+Z)</translation>
    </message>
    <message>
      <location filename="app/undoing.py" />
      <source>{count} before it can be undone too.</source>
      <translation>之前还有 {count} 项可以撤销。</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>Asking whether there is a newer version…</source>
      <translation>正在查询是否有新版本…</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>Foreword {version} is published; this is {here}. Nothing is downloaded or installed by itself.</source>
      <translation>Foreword {version} 已发布；当前是 {here}。不会自动下载或安装任何内容。</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>No finished version of Foreword is published; this is {here}.</source>
      <translation>Foreword 没有已发布的正式版本；当前是 {here}。</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>Not this version again</source>
      <translation>不再提示此版本</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>Open its page…</source>
      <translation>打开其页面…</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>Open this address in your browser? The newer version is published there.</source>
      <translation>要在浏览器中打开此地址吗？新版本发布在那里。</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>This is Foreword {here}, the newest that is published.</source>
      <translation>当前是 Foreword {here}，已是最新版本。</translation>
    </message>
    <message>
      <location filename="app/updates.py" />
      <source>This is Foreword {here}; the newest that is published is {there}.</source>
      <translation>当前是 Foreword {here}；已发布的最新版本是 {there}。</translation>
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>About Foreword</source>
      <translation>关于 Foreword</translation>
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>Chat with language models on your own machine. Nothing you write leaves it. Below is what Foreword consists of, and on what terms.</source>
      <translation>在自己的机器上与语言模型对话，你写的内容不会离开这台机器。下面列出 Foreword 的组成部分及其许可条款。</translation>
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>Licence</source>
      <translation>许可证</translation>
    </message>
    <message>
      <location filename="app/views/about_box.py" />
      <source>What Foreword consists of</source>
      <translation>Foreword 的组成部分</translation>
    </message>
    <message>
      <location filename="app/views/advice_card.py" />
      <source>1 way to be faster</source>
      <translation>有 1 个提速办法</translation>
    </message>
    <message>
      <location filename="app/views/advice_card.py" />
      <source>Advice on speed</source>
      <translation>提速建议</translation>
    </message>
    <message>
      <location filename="app/views/advice_card.py" />
      <source>Not now</source>
      <translation>暂不</translation>
    </message>
    <message>
      <location filename="app/views/advice_card.py" />
      <source>This is not said again for two weeks</source>
      <translation>两周内不再提示</translation>
    </message>
    <message>
      <location filename="app/views/advice_card.py" />
      <source>What was measured of the last replies, and what would help (Ctrl+Shift+H)</source>
      <translation>最近几次回复的实测结果与改进办法（Ctrl+Shift+H）</translation>
    </message>
    <message>
      <location filename="app/views/advice_card.py" />
      <source>{n} ways to be faster</source>
      <translation>有 {n} 个提速办法</translation>
    </message>
    <message>
      <location filename="app/views/attachment_chip.py" />
      <source>1 line</source>
      <translation>1 行</translation>
    </message>
    <message>
      <location filename="app/views/attachment_chip.py" />
      <source>Take this file off</source>
      <translation>移除这个文件</translation>
    </message>
    <message>
      <location filename="app/views/attachment_chip.py" />
      <source>Take {name} off</source>
      <translation>移除 {name}</translation>
    </message>
    <message>
      <location filename="app/views/attachment_chip.py" />
      <source>{count:,} lines</source>
      <translation>{count:,} 行</translation>
    </message>
    <message>
      <location filename="app/views/attachment_viewer.py" />
      <source>Copied</source>
      <translation>已复制</translation>
    </message>
    <message>
      <location filename="app/views/attachment_viewer.py" />
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <location filename="app/views/attachment_viewer.py" />
      <source>The text of {name}</source>
      <translation>{name} 的内容</translation>
    </message>
    <message>
      <location filename="app/views/banner.py" />
      <source>Close this message</source>
      <translation>关闭这条消息</translation>
    </message>
    <message>
      <location filename="app/views/banner.py" />
      <source>Progress</source>
      <translation>进度</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_chart.py" />
      <source>Chart of the results</source>
      <translation>结果图表</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Benchmark</source>
      <translation>基准测试</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Choose what to measure and press Start. Results are kept, and drawn here.</source>
      <translation>选择要测什么，然后按“开始”。结果会保留，并画在这里。</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Code and prose</source>
      <translation>代码和文章</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Drafts</source>
      <translation>草稿</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Export all as CSV…</source>
      <translation>全部导出为 CSV…</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>K from 1 to 8</source>
      <translation>K 从 1 到 8</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Long</source>
      <translation>长</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Long: 1,000 to read, 200 to write</source>
      <translation>长：读 1,000 个、写 200 个词元</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>No results yet</source>
      <translation>还没有结果</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Nothing: without and with</source>
      <translation>不变：不用与使用</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>One result, or those of the same protocol and model over time</source>
      <translation>单次结果，或同一方案、同一模型的历次结果</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>One thing changed at a time</source>
      <translation>每次改变一项</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Over time</source>
      <translation>历次变化</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Protocol</source>
      <translation>方案</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Replies of each way</source>
      <translation>每种方式的回复数</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Results that are kept</source>
      <translation>保留的结果</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Short</source>
      <translation>短</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Short: 128 tokens to write</source>
      <translation>短：写 128 个词元</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Start</source>
      <translation>开始</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Stopped; what was measured is kept.</source>
      <translation>已停止；测得的数据会保留。</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Text</source>
      <translation>文本</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>There is no finished result of this protocol and model without a sweep yet.</source>
      <translation>还没有这个方案和模型的完整结果（不含逐项变化）。</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>This result</source>
      <translation>这次结果</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>This was not measured here.</source>
      <translation>这一项没有测量。</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>Way</source>
      <translation>方式</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>What is drawn</source>
      <translation>绘制什么</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>What the chart shows</source>
      <translation>图表显示什么</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>a round</source>
      <translation>每轮</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>accepted</source>
      <translation>接受率</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>draft share</source>
      <translation>起草占比</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>finished</source>
      <translation>已完成</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>replies</source>
      <translation>回复数</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>reply {done} of {total}, {time} left</source>
      <translation>第 {done} 条回复，共 {total} 条，剩余 {time}</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>times as fast</source>
      <translation>速度倍数</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>to the first</source>
      <translation>首词元</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>took {time}</source>
      <translation>用时 {time}</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>warming up</source>
      <translation>正在预热</translation>
    </message>
    <message>
      <location filename="app/views/benchmarks_page.py" />
      <source>{n} tokens a reply at most</source>
      <translation>每条回复最多 {n} 个词元</translation>
    </message>
    <message>
      <location filename="app/views/carried_chat.py" />
      <source>Move to "{name}"</source>
      <translation>移到“{name}”</translation>
    </message>
    <message>
      <location filename="app/views/carried_chat.py" />
      <source>Pin to the top</source>
      <translation>置顶</translation>
    </message>
    <message>
      <location filename="app/views/carried_chat.py" />
      <source>Take out of the folder</source>
      <translation>移出文件夹</translation>
    </message>
    <message>
      <location filename="app/views/carried_chat.py" />
      <source>Unpin</source>
      <translation>取消置顶</translation>
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Earlier</source>
      <translation>更早</translation>
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Pinned</source>
      <translation>置顶</translation>
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>This week</source>
      <translation>本周</translation>
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Today</source>
      <translation>今天</translation>
    </message>
    <message>
      <location filename="app/views/chat_list_model.py" />
      <source>Yesterday</source>
      <translation>昨天</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Delete the folder and its chat</source>
      <translation>删除文件夹及其中的 1 个对话</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Delete the folder and its {count} chats</source>
      <translation>删除文件夹及其中的 {count} 个对话</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>JSON…</source>
      <translation>JSON…</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Learn nothing from this chat</source>
      <translation>不从此对话学习</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Markdown…</source>
      <translation>Markdown…</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Name of the folder:</source>
      <translation>文件夹名称：</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>New folder</source>
      <translation>新建文件夹</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>New folder…</source>
      <translation>新建文件夹…</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>None</source>
      <translation>无</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Remove the folder</source>
      <translation>移除文件夹</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Remove the folder, keep its chats</source>
      <translation>移除文件夹，保留对话</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Rename the folder</source>
      <translation>重命名文件夹</translation>
    </message>
    <message>
      <location filename="app/views/chat_menu.py" />
      <source>Replies in other chats are not drafted from it, and no draft is trained on it</source>
      <translation>其他对话的回复不会用它来起草，也不会用它训练草稿</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>1 of {all} replies differs.</source>
      <translation>{all} 条回复中有 1 条不同。</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>All {n} replies are the same, letter for letter.</source>
      <translation>全部 {n} 条回复逐字相同。</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Check of the output</source>
      <translation>输出检查</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Checking…</source>
      <translation>正在检查…</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Every question is answered twice at temperature 0, without and with speculation, and the texts are compared.</source>
      <translation>每个问题在温度 0 下回答两次，一次不用、一次使用投机解码，然后比较文本。</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>How many</source>
      <translation>数量</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Not finished: {same} of {compared} replies the same so far. {why}</source>
      <translation>未完成：已比较的 {compared} 条回复中有 {same} 条相同。{why}</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Questions in</source>
      <translation>问题语言</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Save the report…</source>
      <translation>保存报告…</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Speculation changes the speed, never the words. See it for yourself.</source>
      <translation>投机解码改变的是速度，从不改变文字。不妨亲自验证。</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>The first difference is in question {n}, character {place}: "{left}" without, "{right}" with.</source>
      <translation>第一处差异在第 {n} 题的第 {place} 个字符：不用时为“{left}”，使用时为“{right}”。</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>Tokens at most</source>
      <translation>词元上限</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>differ from character {n}</source>
      <translation>从第 {n} 个字符起不同</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>different</source>
      <translation>不同</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>drafted by {name}, {rate} accepted</source>
      <translation>由 {name} 起草，接受率 {rate}</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>the same</source>
      <translation>相同</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>{n} of {all} replies differ.</source>
      <translation>{all} 条回复中有 {n} 条不同。</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>{n} questions</source>
      <translation>{n} 个问题</translation>
    </message>
    <message>
      <location filename="app/views/checking_page.py" />
      <source>{same} of {compared} are the same so far</source>
      <translation>目前 {compared} 条中有 {same} 条相同</translation>
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Copy code</source>
      <translation>复制代码</translation>
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Copy this code</source>
      <translation>复制这段代码</translation>
    </message>
    <message>
      <location filename="app/views/code_block.py" />
      <source>Wrap long lines</source>
      <translation>长行自动换行</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>Chance is the same on both sides</source>
      <translation>两边使用相同的随机数</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>First way</source>
      <translation>第一种方式</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>Second way</source>
      <translation>第二种方式</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>Two draft lengths</source>
      <translation>两种草稿长度</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>Two drafts</source>
      <translation>两种草稿</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>Two temperatures</source>
      <translation>两种温度</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>What is compared</source>
      <translation>比较什么</translation>
    </message>
    <message>
      <location filename="app/views/compare_choice.py" />
      <source>Without and with speculation</source>
      <translation>不用与使用投机解码</translation>
    </message>
    <message>
      <location filename="app/views/compare_column.py" />
      <source>The words and the figures appear here.</source>
      <translation>文字和数据会显示在这里。</translation>
    </message>
    <message>
      <location filename="app/views/compare_column.py" />
      <source>reading the question</source>
      <translation>正在读取问题</translation>
    </message>
    <message>
      <location filename="app/views/compare_column.py" />
      <source>waiting</source>
      <translation>等待中</translation>
    </message>
    <message>
      <location filename="app/views/compare_column.py" />
      <source>writing…</source>
      <translation>正在书写…</translation>
    </message>
    <message>
      <location filename="app/views/compare_column.py" />
      <source>{n} tokens a round</source>
      <translation>每轮 {n} 个词元</translation>
    </message>
    <message>
      <location filename="app/views/compare_column.py" />
      <source>{time} to the first</source>
      <translation>首词元 {time}</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>As part of this chat, after 1 message.</source>
      <translation>作为此对话的一部分，接在 1 条消息之后。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>As part of this chat, after {n} messages.</source>
      <translation>作为此对话的一部分，接在 {n} 条消息之后。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Both texts are identical, letter for letter, as they must be at temperature 0.</source>
      <translation>两段文本逐字相同，温度为 0 时必然如此。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Both texts happen to be identical.</source>
      <translation>两段文本恰好相同。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>By itself, without a chat before it.</source>
      <translation>单独提问，前面没有对话。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Compare</source>
      <translation>比较</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Compare two ways of replying</source>
      <translation>比较两种回复方式</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Expected from acceptance and costs of both: {ratio} times.</source>
      <translation>按两边的接受率和开销，预期为 {ratio} 倍。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Expected: {ratio} times. With {rate} accepted and K = {length}, (1 − p^(K+1)) / (1 − p) is {tokens} tokens a round; a round costs as much as {cost} tokens of the first way.</source>
      <translation>预期：{ratio} 倍。接受率 {rate}、K = {length} 时，(1 − p^(K+1)) / (1 − p) 为每轮 {tokens} 个词元；一轮的开销相当于第一种方式的 {cost} 个词元。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>One of the two replies is missing.</source>
      <translation>两条回复缺少一条。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>Stopped.</source>
      <translation>已停止。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>The question that is asked twice</source>
      <translation>要问两次的问题</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>The replies were too short to be timed.</source>
      <translation>回复太短，来不及计时。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>The texts differ, as they may: words are drawn by chance, and identity is not expected.</source>
      <translation>两段文本不同，这很正常：用词带有随机性，不要求相同。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>The texts part at character {place}: "{before}" goes on with "{left}" or with "{right}".</source>
      <translation>两段文本在第 {place} 个字符处分开：“{before}”之后一边是“{left}”，另一边是“{right}”。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>{right} is slower: {ratio} times as fast.</source>
      <translation>{right}：更慢，速度是 {ratio} 倍。</translation>
    </message>
    <message>
      <location filename="app/views/compare_page.py" />
      <source>{right} is {ratio} times as fast.</source>
      <translation>{right}：速度是 {ratio} 倍。</translation>
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Ask anything</source>
      <translation>随便问点什么</translation>
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Attach files</source>
      <translation>附加文件</translation>
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Attach text or code files (Ctrl+Shift+A); they can be dropped here too</source>
      <translation>附加文本或代码文件（Ctrl+Shift+A）；也可拖放到这里</translation>
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Enter; Shift+Enter for a new line</source>
      <translation>Enter；Shift+Enter 换行</translation>
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Esc</source>
      <translation>Esc</translation>
    </message>
    <message>
      <location filename="app/views/composer.py" />
      <source>Send</source>
      <translation>发送</translation>
    </message>
    <message>
      <location filename="app/views/course_chart.py" />
      <source>Speed and acceptance over the reply</source>
      <translation>回复过程中的速度和接受率</translation>
    </message>
    <message>
      <location filename="app/views/course_chart.py" />
      <source>acceptance</source>
      <translation>接受率</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Check again</source>
      <translation>重新检查</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Copy as text</source>
      <translation>复制为文本</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Everything is well</source>
      <translation>一切正常</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>For whoever helps you: versions and places, nothing of your chats</source>
      <translation>提供给帮助你的人：只有版本和位置，不含对话内容</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>It works, with reservations</source>
      <translation>可以使用，但有注意事项</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>Looking…</source>
      <translation>正在检查…</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>good</source>
      <translation>正常</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>warning</source>
      <translation>注意</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>wrong</source>
      <translation>错误</translation>
    </message>
    <message>
      <location filename="app/views/doctor_page.py" />
      <source>{count} to be mended</source>
      <translation>{count} 项需要处理</translation>
    </message>
    <message>
      <location filename="app/views/draft_device.py" />
      <source>As the model</source>
      <translation>与模型相同</translation>
    </message>
    <message>
      <location filename="app/views/draft_device.py" />
      <source>The draft is on {device}.</source>
      <translation>草稿在{device}上。</translation>
    </message>
    <message>
      <location filename="app/views/draft_device.py" />
      <source>The model is on {device}.</source>
      <translation>模型在{device}上。</translation>
    </message>
    <message>
      <location filename="app/views/draft_device.py" />
      <source>The next draft is written while the model checks the last one.</source>
      <translation>模型核对上一份草稿时，下一份草稿已在起草。</translation>
    </message>
    <message>
      <location filename="app/views/draft_picker.py" />
      <source>Choose a draft model…</source>
      <translation>选择草稿模型…</translation>
    </message>
    <message>
      <location filename="app/views/draft_picker.py" />
      <source>none chosen</source>
      <translation>未选择</translation>
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Explain</source>
      <translation>解释</translation>
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Explain why the sky is blue.</source>
      <translation>请解释天空为什么是蓝色的。</translation>
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>The words stay on this machine. The gauges show how fast they come, and why.</source>
      <translation>内容不会离开这台机器。右侧仪表显示生成有多快，以及原因。</translation>
    </message>
    <message>
      <location filename="app/views/empty_state.py" />
      <source>Write a Python function that merges two sorted lists.</source>
      <translation>写一个 Python 函数，合并两个已排序的列表。</translation>
    </message>
    <message>
      <location filename="app/views/example_card.py" />
      <source>Ask this</source>
      <translation>问这个</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Draft length</source>
      <translation>草稿长度</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>From sending to the first token of the reply.</source>
      <translation>从发送到回复的第一个词元。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>How many times faster than without speculation, as it was measured.</source>
      <translation>实测速度是不用投机解码时的几倍。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>How many times faster than without speculation, reckoned from acceptance and costs.</source>
      <translation>按接受率和开销推算，速度是不用投机解码时的几倍。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>How many tokens one pass of the model gives; 1 without speculation.</source>
      <translation>模型每次前向计算得到多少个词元；不用投机解码时为 1。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>K: how many tokens are drafted each round.</source>
      <translation>K：每轮起草多少个词元。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>Time spent drafting, of all the time spent decoding.</source>
      <translation>起草时间占全部解码时间的比例。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>What is being written; the draft follows it.</source>
      <translation>正在写的内容类型；草稿随之调整。</translation>
    </message>
    <message>
      <location filename="app/views/figure_rows.py" />
      <source>What writes the tokens ahead.</source>
      <translation>由什么提前写出词元。</translation>
    </message>
    <message>
      <location filename="app/views/figures.py" />
      <source>{count} h</source>
      <translation>{count} 小时</translation>
    </message>
    <message>
      <location filename="app/views/figures.py" />
      <source>{count} min</source>
      <translation>{count} 分钟</translation>
    </message>
    <message>
      <location filename="app/views/figures.py" />
      <source>{count} s</source>
      <translation>{count} 秒</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>Close (Esc)</source>
      <translation>关闭（Esc）</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>Find in this chat</source>
      <translation>在对话中查找</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>Next hit (F3)</source>
      <translation>下一处（F3）</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>Not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>Previous hit (Shift+F3)</source>
      <translation>上一处（Shift+F3）</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>{current:,} of {total:,}</source>
      <translation>{current:,} / {total:,}</translation>
    </message>
    <message>
      <location filename="app/views/find_bar.py" />
      <source>{total}…</source>
      <translation>{total}…</translation>
    </message>
    <message>
      <location filename="app/views/folder_row.py" />
      <source>Choose another folder; what is there moves along</source>
      <translation>选择其他文件夹，现有模型会一并移过去</translation>
    </message>
    <message>
      <location filename="app/views/folder_row.py" />
      <source>Move…</source>
      <translation>移动…</translation>
    </message>
    <message>
      <location filename="app/views/folder_row.py" />
      <source>Open the folder in the system's file manager</source>
      <translation>在系统的文件管理器中打开该文件夹</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Copy this reply</source>
      <translation>复制这条回复</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Details of this reply</source>
      <translation>这条回复的详情</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Edit this reply</source>
      <translation>编辑这条回复</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>From sending to the first token</source>
      <translation>从发送到第一个词元</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Regenerate this reply</source>
      <translation>重新生成这条回复</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>The part of decoding time spent drafting</source>
      <translation>起草时间占解码时间的比例</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>The target accepted {accepted} of {verified} draft tokens it judged</source>
      <translation>目标模型检查了 {verified} 个草稿词元，接受了 {accepted} 个</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Tokens for each pass of the target; 1 without speculation</source>
      <translation>目标模型每次前向计算得到的词元；不用投机解码时为 1</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>Tokens per second while decoding, reading the prompt left out</source>
      <translation>解码时每秒生成的词元，不含读取提示词的时间</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>draft share {value:.0f} %</source>
      <translation>起草占比 {value:.0f} %</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.0f} % accepted</source>
      <translation>接受 {value:.0f} %</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.1f} per round</source>
      <translation>每轮 {value:.1f}</translation>
    </message>
    <message>
      <location filename="app/views/footer.py" />
      <source>{value:.2f} s to first</source>
      <translation>首词元 {value:.2f} 秒</translation>
    </message>
    <message>
      <location filename="app/views/foresight_words.py" />
      <source>It brings a layer of its own that foresees further tokens, and can draft with it.</source>
      <translation>它自带可预测后续词元的层，可用来起草。</translation>
    </message>
    <message>
      <location filename="app/views/foresight_words.py" />
      <source>It brings layers of its own that foresee further tokens; they cannot be used here.</source>
      <translation>它自带可预测后续词元的层，但在这里无法使用。</translation>
    </message>
    <message>
      <location filename="app/views/foresight_words.py" />
      <source>Its configuration promises layers that foresee further tokens, but this copy lacks them.</source>
      <translation>它的配置声明了可预测后续词元的层，但这份文件里没有。</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>, {reused} remembered</source>
      <translation>，已缓存 {reused}</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>How many tokens of the reply come each second, over the last second.</source>
      <translation>最近一秒内，回复每秒生成多少个词元。</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>Of the drafted tokens that were checked, how many the model accepted.</source>
      <translation>经过检查的起草词元中，有多少被模型接受。</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>Reading the chat</source>
      <translation>正在读取对话</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>The task changed at the marks: {tasks}.</source>
      <translation>任务在标记处切换：{tasks}。</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>nothing drafted yet</source>
      <translation>还没有起草</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>nothing was drafted in this reply</source>
      <translation>这条回复没有起草</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>speculation is off</source>
      <translation>投机解码已关闭</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>the reply ended before it could be timed</source>
      <translation>回复太短，来不及计时</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>the share of drafted tokens accepted appears here</source>
      <translation>这里显示起草词元的接受率</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>tokens per second</source>
      <translation>每秒词元</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>tokens per second appear here as a reply streams</source>
      <translation>生成回复时，这里显示每秒词元</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>waiting for the first token</source>
      <translation>正在等待第一个词元</translation>
    </message>
    <message>
      <location filename="app/views/gauge_panel.py" />
      <source>{done} of {total} tokens</source>
      <translation>{done} / {total} 个词元</translation>
    </message>
    <message>
      <location filename="app/views/gauge_strip.py" />
      <source>draft length</source>
      <translation>草稿长度</translation>
    </message>
    <message>
      <location filename="app/views/gauge_strip.py" />
      <source>per round</source>
      <translation>每轮</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>All models…</source>
      <translation>所有模型…</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Automatic: pause while drafting loses</source>
      <translation>自动：起草不划算时暂停</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Choose the model that answers (Ctrl+M)</source>
      <translation>选择用来回答的模型（Ctrl+M）</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>K = {k}</source>
      <translation>K = {k}</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>K up to {k}</source>
      <translation>K 最大 {k}</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Loading…</source>
      <translation>正在加载…</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Model: {name}</source>
      <translation>模型：{name}</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>More settings…</source>
      <translation>更多设置…</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>No model</source>
      <translation>未加载模型</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Off: the model writes every token itself</source>
      <translation>关闭：每个词元都由模型自己写</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>On: always draft</source>
      <translation>开启：始终起草</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Open a folder or GGUF…</source>
      <translation>打开文件夹或 GGUF…</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Show or hide the chats</source>
      <translation>显示或隐藏对话列表</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Show or hide the chats (Ctrl+B)</source>
      <translation>显示或隐藏对话列表（Ctrl+B）</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Speculation: {mode}</source>
      <translation>投机解码：{mode}</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>Unload: give its memory back</source>
      <translation>卸载：释放内存</translation>
    </message>
    <message>
      <location filename="app/views/header.py" />
      <source>{name} (English)</source>
      <translation>{name}（英语）</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Address</source>
      <translation>地址</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Address of the model hub</source>
      <translation>模型站的地址</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>HF_ENDPOINT is set, and goes before what is chosen here.</source>
      <translation>已设置 HF_ENDPOINT，它优先于这里的选择。</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Model hub</source>
      <translation>模型站</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Needed only for models that ask for an account. The system's keyring keeps it.</source>
      <translation>只有需要账号的模型才用得到，由系统密钥环保存。</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>The system's keyring keeps a token for this address. It is sent to no other.</source>
      <translation>系统密钥环保存着用于这个地址的令牌，它不会发送到别处。</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>The token of HF_TOKEN is used.</source>
      <translation>使用 HF_TOKEN 中的令牌。</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>This system has no keyring that could keep a token: set the environment variable HF_TOKEN instead, or install one (GNOME Keyring, KWallet).</source>
      <translation>此系统没有可以保存令牌的密钥环：请改为设置环境变量 HF_TOKEN，或安装一个（GNOME Keyring、KWallet）。</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Token</source>
      <translation>令牌</translation>
    </message>
    <message>
      <location filename="app/views/hub_dialog.py" />
      <source>Token for the model hub</source>
      <translation>模型站的令牌</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Import chats</source>
      <translation>导入对话</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Left out:</source>
      <translation>未导入：</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Left out: {skipped:,}.</source>
      <translation>略过：{skipped:,} 项。</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Messages here already: {known:,}.</source>
      <translation>{known:,} 条消息已存在。</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>New chats: {chats:,}, new messages: {messages:,}.</source>
      <translation>新增 {chats:,} 个对话、{messages:,} 条消息。</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Progress of the import</source>
      <translation>导入进度</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>Reading {name}</source>
      <translation>正在读取 {name}</translation>
    </message>
    <message>
      <location filename="app/views/import_dialog.py" />
      <source>What was left out, and why</source>
      <translation>未导入的内容及原因</translation>
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>accepted token</source>
      <translation>被接受</translation>
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>bonus</source>
      <translation>额外</translation>
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>recovered</source>
      <translation>修正</translation>
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>the draft wrote it, the target agreed</source>
      <translation>草稿写出，目标模型同意</translation>
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>the target's own, after a draft it accepted whole</source>
      <translation>草稿全部接受后，由目标模型多写的一个</translation>
    </message>
    <message>
      <location filename="app/views/legend.py" />
      <source>the target's own, in place of a rejected draft token</source>
      <translation>草稿词元被拒绝后，由目标模型写出</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Copy address</source>
      <translation>复制地址</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>It has blanks or characters that cannot be seen.</source>
      <translation>它含有空白或不可见的字符。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>It leads to a number instead of a name.</source>
      <translation>它指向数字地址而不是域名。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>It leads to {host}</source>
      <translation>它指向 {host}</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Its name has letters beyond a to z, which can look like others.</source>
      <translation>域名含有 a 到 z 以外的字母，可能与其他字母混淆。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Its name mixes letters of several alphabets, which can imitate a name you know.</source>
      <translation>域名混用了多种文字的字母，可能冒充你熟悉的名称。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Open this address in your browser? The model wrote it; nobody has checked it.</source>
      <translation>在浏览器中打开这个地址？它由模型写出，没有人核实过。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Open this link?</source>
      <translation>打开这个链接？</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>The connection would not be encrypted.</source>
      <translation>连接不会加密。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>The whole address</source>
      <translation>完整地址</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>There is a name before an @: the address leads to what stands behind it.</source>
      <translation>@ 前面有一个名称：地址实际指向 @ 后面的部分。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>This is no address of the web or of mail, so Foreword does not open it.</source>
      <translation>这不是网页或邮件地址，Foreword 不会打开。</translation>
    </message>
    <message>
      <location filename="app/views/link_question.py" />
      <source>Written without special letters: {host}</source>
      <translation>不用特殊字母的写法：{host}</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>4-bit group</source>
      <translation>4 位分组</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Chat memory</source>
      <translation>对话缓存</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Chat memory stays at {bits} bits: with this model and precision there are no fewer.</source>
      <translation>对话缓存保持 {bits} 位：此模型和精度没有更低的位数。</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Context</source>
      <translation>上下文</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Draft's device</source>
      <translation>草稿的设备</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Larger than memory: fetch layers that do not fit in every pass (slow)</source>
      <translation>超出内存：放不下的层在每次前向计算时读取（慢）</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Load</source>
      <translation>加载</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Load all the same</source>
      <translation>仍然加载</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Memory: {place}</source>
      <translation>内存：{place}</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Precision</source>
      <translation>精度</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>Reading the model's files for the plan…</source>
      <translation>正在读取模型文件以制定计划…</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>main memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <location filename="app/views/load_form.py" />
      <source>{name}: second choice, drafts by its text and gains less</source>
      <translation>{name}：备选，通过文本起草，增益较小</translation>
    </message>
    <message>
      <location filename="app/views/mark_words.py" />
      <source>Accepted: it was copied from an earlier chat, and the target agreed</source>
      <translation>接受：抄自历史对话，目标模型同意</translation>
    </message>
    <message>
      <location filename="app/views/mark_words.py" />
      <source>Accepted: the draft wrote it, the target agreed</source>
      <translation>接受：草稿写出，目标模型同意</translation>
    </message>
    <message>
      <location filename="app/views/mark_words.py" />
      <source>Bonus: the target added it after a draft it accepted whole</source>
      <translation>额外：草稿全部接受后，目标模型多写的一个</translation>
    </message>
    <message>
      <location filename="app/views/mark_words.py" />
      <source>Recovered: the target wrote it instead of a rejected draft token</source>
      <translation>修正：草稿词元被拒绝后，由目标模型写出</translation>
    </message>
    <message>
      <location filename="app/views/mark_words.py" />
      <source>{origin} (round {round})</source>
      <translation>{origin}（第 {round} 轮）</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>Memory ran out: {what}.</source>
      <translation>内存不足：{what}。</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>drafts are at most {after} tokens long</source>
      <translation>草稿最长 {after} 个词元</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>drafts are one token long at most</source>
      <translation>草稿最多一个词元</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>the draft {name} is held at {after} bits</source>
      <translation>草稿 {name} 改用 {after} 位保存</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>the draft {name} is unloaded</source>
      <translation>已卸载草稿 {name}</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>the oldest messages are left out; the model reads {after} tokens at most</source>
      <translation>省略最早的消息；模型最多读取 {after} 个词元</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>the question is read in shorter pieces, which takes a little longer</source>
      <translation>问题改为分小段读取，会慢一点</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>what the model keeps of the chat is held at {after} bits, a little less exactly</source>
      <translation>模型保留的对话内容改用 {after} 位保存，精度略低</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>what was kept of other chats ({size}) is let go; they are read again when you go back to them</source>
      <translation>已释放为其他对话保留的内容（{size}）；回到那些对话时会重新读取</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>what was kept of other chats ({size}) now waits in main memory; going back to them takes a moment</source>
      <translation>为其他对话保留的内容（{size}）已移到内存，回到这些对话时需稍等片刻</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>{after} % of {name} is fetched anew for every step, which is many times slower</source>
      <translation>{name} 的 {after} % 每一步都要重新读取，会慢很多倍</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>{name} is loaded at {after} bits</source>
      <translation>{name} 以 {after} 位加载</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>{name} is loaded into the computer's memory and runs more slowly</source>
      <translation>{name} 改为加载到内存中，运行会更慢</translation>
    </message>
    <message>
      <location filename="app/views/memory_notice.py" />
      <source>{name} is loaded with a context of {after} tokens</source>
      <translation>{name} 以 {after} 个词元的上下文加载</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Ask this instead (Enter)</source>
      <translation>改问这个（Enter）</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Asks again; the old version is kept.</source>
      <translation>重新提问；旧版本会保留。</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Keep as a new version (Ctrl+Enter)</source>
      <translation>另存为新版本（Ctrl+Enter）</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Leave it as it was (Esc)</source>
      <translation>保持原样（Esc）</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>The message's text</source>
      <translation>消息内容</translation>
    </message>
    <message>
      <location filename="app/views/message_editor.py" />
      <source>The old version is kept.</source>
      <translation>旧版本会保留。</translation>
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>Edit this question</source>
      <translation>编辑这个问题</translation>
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>Foreword</source>
      <translation>Foreword</translation>
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>System</source>
      <translation>系统</translation>
    </message>
    <message>
      <location filename="app/views/message_head.py" />
      <source>You</source>
      <translation>你</translation>
    </message>
    <message>
      <location filename="app/views/message_list.py" />
      <source>Conversation</source>
      <translation>对话</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Ask again</source>
      <translation>重新提问</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Compare with and without speculation…</source>
      <translation>比较使用与不用投机解码…</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Continue this reply</source>
      <translation>续写这条回复</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Copy message</source>
      <translation>复制消息</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Edit</source>
      <translation>编辑</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>New chat from here</source>
      <translation>从这里开始新对话</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Open {address}</source>
      <translation>打开 {address}</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Reply again</source>
      <translation>重新回复</translation>
    </message>
    <message>
      <location filename="app/views/message_menu.py" />
      <source>Select all</source>
      <translation>全选</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Copies the model into the folder of models, so that the original may go</source>
      <translation>把模型复制到模型文件夹，之后原文件可以删除</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Copy to the models folder</source>
      <translation>复制到模型文件夹</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Download</source>
      <translation>下载</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Forget</source>
      <translation>不再使用</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Give up and delete</source>
      <translation>放弃并删除</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Progress of the download</source>
      <translation>下载进度</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Remove…</source>
      <translation>移除…</translation>
    </message>
    <message>
      <location filename="app/views/model_details.py" />
      <source>Show its folder</source>
      <translation>显示所在文件夹</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Any size</source>
      <translation>不限大小</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Fits</source>
      <translation>装得下</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Has a draft</source>
      <translation>有草稿</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Only models for which a draft is known: a smaller model of the same family, checked when it is loaded</source>
      <translation>只显示已知有草稿的模型：同系列的更小模型，加载时会检查</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Only models of at most so many parameters</source>
      <translation>只显示参数量不超过此数的模型</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Only models that this machine's free memory holds at 4 bits</source>
      <translation>只显示以 4 位权重能装入本机空闲内存的模型</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>Size</source>
      <translation>大小</translation>
    </message>
    <message>
      <location filename="app/views/model_filters.py" />
      <source>≤ {count} B</source>
      <translation>≤ {count} B</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>Found on the hub</source>
      <translation>模型站的结果</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>Not here. Enter searches the hub.</source>
      <translation>这里没有。按回车搜索模型站。</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>On this machine</source>
      <translation>在这台机器上</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>To download</source>
      <translation>可下载</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>downloading, {share}</source>
      <translation>正在下载，{share}</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>paused at {share}</source>
      <translation>已暂停于 {share}</translation>
    </message>
    <message>
      <location filename="app/views/model_list.py" />
      <source>stopped at {share}</source>
      <translation>停在 {share}</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Add a folder or GGUF…</source>
      <translation>添加文件夹或 GGUF…</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Check this machine…</source>
      <translation>检查这台机器…</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Delete {name} from this disk?</source>
      <translation>从磁盘删除 {name}？</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Name; Enter searches the hub</source>
      <translation>名称；按 Enter 搜索模型站</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Remove a model</source>
      <translation>移除模型</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>Search models</source>
      <translation>搜索模型</translation>
    </message>
    <message>
      <location filename="app/views/models_page.py" />
      <source>This frees {size}. Chats are kept.</source>
      <translation>将释放 {size}。对话会保留。</translation>
    </message>
    <message>
      <location filename="app/views/newest_button.py" />
      <source>Go to the newest words</source>
      <translation>跳到最新内容</translation>
    </message>
    <message>
      <location filename="app/views/newest_button.py" />
      <source>Newest</source>
      <translation>最新</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Continue</source>
      <translation>续写</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Ended at the longest reply the settings allow.</source>
      <translation>已达到设置的回复上限。</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Ended because the context is full.</source>
      <translation>上下文已满，回复结束。</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Let the reply go on where it stopped (Ctrl+Shift+Enter)</source>
      <translation>从停下的地方继续回复（Ctrl+Shift+Enter）</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>Stopped before the first word.</source>
      <translation>在写出第一个字之前已停止。</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>The reply failed.</source>
      <translation>回复失败。</translation>
    </message>
    <message>
      <location filename="app/views/notice.py" />
      <source>What was written so far is kept.</source>
      <translation>已写出的内容会保留。</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>chat (keys and values)</source>
      <translation>对话（键和值）</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>computing</source>
      <translation>计算</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>draft</source>
      <translation>草稿</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>draft's chat</source>
      <translation>草稿的对话缓存</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>driver</source>
      <translation>驱动</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>missing</source>
      <translation>缺少</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>only while loading</source>
      <translation>仅在加载时</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>states to go back to</source>
      <translation>可回退的状态</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>stays free</source>
      <translation>剩余</translation>
    </message>
    <message>
      <location filename="app/views/plan_bar.py" />
      <source>weights</source>
      <translation>权重</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>A system prompt and settings for this chat alone (Ctrl+P)</source>
      <translation>仅用于此对话的系统提示词和设置（Ctrl+P）</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Change presets</source>
      <translation>管理预设</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Duplicate</source>
      <translation>复制一份</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Its new name:</source>
      <translation>新名称：</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>None: as set for all chats</source>
      <translation>无：与所有对话的设置相同</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Preset</source>
      <translation>预设</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Preset of this chat: {name}</source>
      <translation>此对话的预设：{name}</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Put the settings of this chat into it</source>
      <translation>改为当前对话的设置</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Put these settings into "{name}"</source>
      <translation>将当前设置存入“{name}”</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Rename the preset</source>
      <translation>重命名预设</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Save as a preset</source>
      <translation>存为预设</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>Save these settings as a preset…</source>
      <translation>将这些设置存为预设…</translation>
    </message>
    <message>
      <location filename="app/views/preset_button.py" />
      <source>The system prompt, sampling and speculation of this chat, under the name:</source>
      <translation>此对话的系统提示词、采样和投机解码设置，名称为：</translation>
    </message>
    <message>
      <location filename="app/views/question_editor.py" />
      <source>Your question</source>
      <translation>你的问题</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>A closer draft or a lower temperature may help.</source>
      <translation>更接近的草稿或更低的温度可能有帮助。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>A smaller draft may help.</source>
      <translation>更小的草稿可能有帮助。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Automatic speculation pauses when it does.</source>
      <translation>设为自动时，投机解码会因此暂停。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Drafting lost time here.</source>
      <translation>在这里起草反而更慢。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Drafting takes half the time.</source>
      <translation>起草占用了一半时间。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Drafting takes much of the time.</source>
      <translation>起草占用了很多时间。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Few drafted tokens fit.</source>
      <translation>能用上的起草词元很少。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Few drafted tokens fit; a lower one is faster.</source>
      <translation>能用上的起草词元很少；降低温度会更快。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>It starts again when the text gets easier to guess.</source>
      <translation>文本变得容易预测时会重新开始。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>No match yet.</source>
      <translation>还没有匹配。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Paused: drafting loses here.</source>
      <translation>已暂停：在这里起草不划算。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Paused: high temperature.</source>
      <translation>已暂停：温度过高。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Speculation was off in this reply.</source>
      <translation>这条回复没有使用投机解码。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>The n-gram draft waits for words the chat has seen.</source>
      <translation>n-gram 草稿在等待对话中出现过的词句。</translation>
    </message>
    <message>
      <location filename="app/views/reason.py" />
      <source>Turn it on in the settings to see the words sooner.</source>
      <translation>在设置中开启，就能更快看到文字。</translation>
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>All chats go back to what they were then. The present ones are backed up first.</source>
      <translation>所有对话将恢复到当时的状态。现有对话会先备份。</translation>
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>Backups, newest first</source>
      <translation>备份，最新的在前</translation>
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>Restore</source>
      <translation>恢复</translation>
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>Restore a backup</source>
      <translation>恢复备份</translation>
    </message>
    <message>
      <location filename="app/views/restore_dialog.py" />
      <source>There is no backup yet. One is made every day on which Foreword is used.</source>
      <translation>还没有备份。使用 Foreword 的每一天都会自动备份一次。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Foreword takes the fastest draft for each task and tries the others now and then.</source>
      <translation>Foreword 为每种任务选用最快的草稿，并不时试用其他草稿。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Measured on this machine while {target} replied.</source>
      <translation>{target} 回复时在这台机器上实测。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>N-gram drafts also come from {texts} ({tokens}).</source>
      <translation>n-gram 草稿还会用到 {texts}（{tokens}）。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>No draft gains here; {name} loses least, and pauses while it loses.</source>
      <translation>这里没有草稿能提速；{name} 损失最小，不划算时会暂停。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Not tried long enough yet: {names}.</source>
      <translation>试用时间还不够：{names}。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Nothing is measured yet; {name} begins.</source>
      <translation>还没有实测数据，先用 {name}。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Of {proposed} drafted from them since the model was loaded, {share} stood.</source>
      <translation>自模型加载以来，用它们起草了 {proposed}，其中 {share} 被接受。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Slower than no speculation: {names}.</source>
      <translation>比不用投机解码更慢：{names}。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>There are no past chats to draft from yet.</source>
      <translation>还没有可用来起草的历史对话。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>What you chose is not loaded; {name} drafts meanwhile.</source>
      <translation>你选择的草稿没有加载，暂由 {name} 起草。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>Without speculation it writes about {speed} tokens a second.</source>
      <translation>不用投机解码时，每秒约 {speed} 个词元。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>You chose {name}.</source>
      <translation>你选择了 {name}。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>{name} is all there is to draft with. Add a draft model to compare.</source>
      <translation>目前只有 {name} 可以起草。添加草稿模型后即可比较。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>{name} is the fastest: {gain} times as fast as without speculation.</source>
      <translation>{name} 最快：速度是不用投机解码时的 {gain} 倍。</translation>
    </message>
    <message>
      <location filename="app/views/route_words.py" />
      <source>{written} tokens written; trying others has cost {share} of them.</source>
      <translation>已生成 {written} 个词元；试用其他草稿花了其中的 {share}。</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Add a draft model…</source>
      <translation>添加草稿模型…</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Automatic follows what is being accepted, as the settings say</source>
      <translation>自动：按设置随接受情况调整</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Automatic takes the fastest and tries the others now and then</source>
      <translation>自动选用最快的，并不时试用其他草稿</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Draft length for {task}</source>
      <translation>{task}的草稿长度</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Drop</source>
      <translation>移除</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Drop {draft}</source>
      <translation>移除 {draft}</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Give the memory of {draft} back</source>
      <translation>释放 {draft} 占用的内存</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>How often it was tried while another was faster</source>
      <translation>在其他草稿更快时试用过多少次</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Keep one more draft model in memory, for the task it is fastest at</source>
      <translation>在内存中再保留一个草稿模型，用于它最快的任务</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Length</source>
      <translation>长度</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Of the drafted tokens at each place, how many stood</source>
      <translation>各位置的起草词元有多少被接受</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Times as fast as without speculation, for the same tokens</source>
      <translation>生成同样的词元，速度是不用投机解码时的几倍</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>Tokens of replies a second, measured on this machine</source>
      <translation>这台机器上实测的每秒回复词元</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>What drafting one token takes</source>
      <translation>起草一个词元的耗时</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>What drafts {task}</source>
      <translation>{task}由什么起草</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>What works here</source>
      <translation>实测效果</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>a token costs</source>
      <translation>每词元开销</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>accepted 1st, 2nd, 3rd, 4th</source>
      <translation>第 1、2、3、4 位接受率</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>gain</source>
      <translation>增益</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>tries</source>
      <translation>试用</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>{name}  ·  chosen</source>
      <translation>{name}  ·  已选定</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>{name}  ·  drafts now</source>
      <translation>{name}  ·  正在起草</translation>
    </message>
    <message>
      <location filename="app/views/router_page.py" />
      <source>{name} (not loaded)</source>
      <translation>{name}（未加载）</translation>
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>Back to the default: {value}</source>
      <translation>恢复默认值：{value}</translation>
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>For example: answer briefly, in Chinese.</source>
      <translation>例如：请用中文简短回答。</translation>
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>Reset {setting}</source>
      <translation>重置“{setting}”</translation>
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>empty</source>
      <translation>空</translation>
    </message>
    <message>
      <location filename="app/views/setting_row.py" />
      <source>random</source>
      <translation>随机</translation>
    </message>
    <message>
      <location filename="app/views/setting_rows.py" />
      <source>Appearance</source>
      <translation>外观</translation>
    </message>
    <message>
      <location filename="app/views/setting_rows.py" />
      <source>Applies when a model is loaded next.</source>
      <translation>下次加载模型时生效。</translation>
    </message>
    <message>
      <location filename="app/views/setting_rows.py" />
      <source>Loading</source>
      <translation>加载</translation>
    </message>
    <message>
      <location filename="app/views/setting_rows.py" />
      <source>Program</source>
      <translation>程序</translation>
    </message>
    <message>
      <location filename="app/views/setting_rows.py" />
      <source>Reply</source>
      <translation>回复</translation>
    </message>
    <message>
      <location filename="app/views/setting_rows.py" />
      <source>Sampling</source>
      <translation>采样</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Close the settings (Esc)</source>
      <translation>关闭设置（Esc）</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Closes the window and opens it again; the chat is kept, the model is loaded again</source>
      <translation>关闭窗口后重新打开；对话会保留，模型会重新加载</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Finds by name and by explanation, in English and in Chinese</source>
      <translation>按名称和说明查找，中英文均可</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Go to a section</source>
      <translation>跳到这一类</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Models folder</source>
      <translation>模型文件夹</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>No setting is called that.</source>
      <translation>没有这样的设置。</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Put every setting back to its default; the models stay</source>
      <translation>所有设置恢复默认值；模型不变</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Reset all</source>
      <translation>全部重置</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Search settings</source>
      <translation>搜索设置</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Sections</source>
      <translation>分类</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <location filename="app/views/settings_dialog.py" />
      <source>Where models are kept. Another folder takes along what is there.</source>
      <translation>存放模型的位置。选择其他文件夹时，现有模型会一并移过去。</translation>
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>All settings…</source>
      <translation>所有设置…</translation>
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Changes apply to the next reply.</source>
      <translation>改动从下一条回复起生效。</translation>
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Close the settings</source>
      <translation>关闭设置</translation>
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Every setting, with a search (Ctrl+,)</source>
      <translation>所有设置，可以搜索（Ctrl+,）</translation>
    </message>
    <message>
      <location filename="app/views/settings_panel.py" />
      <source>Settings for replies</source>
      <translation>回复设置</translation>
    </message>
    <message>
      <location filename="app/views/shortcut_sheet.py" />
      <source>Break the line</source>
      <translation>换行</translation>
    </message>
    <message>
      <location filename="app/views/shortcut_sheet.py" />
      <source>Delete the selected chat</source>
      <translation>删除选中的对话</translation>
    </message>
    <message>
      <location filename="app/views/shortcut_sheet.py" />
      <source>Keyboard shortcuts</source>
      <translation>键盘快捷键</translation>
    </message>
    <message>
      <location filename="app/views/shortcut_sheet.py" />
      <source>Send the question</source>
      <translation>发送问题</translation>
    </message>
    <message>
      <location filename="app/views/shortcut_sheet.py" />
      <source>Where you type</source>
      <translation>输入时</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>About Foreword…</source>
      <translation>关于 Foreword…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Benchmark…</source>
      <translation>基准测试…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Chats</source>
      <translation>对话</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Check for a newer version…</source>
      <translation>检查新版本…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Check of the output…</source>
      <translation>输出检查…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Choose or open a model (Ctrl+M)</source>
      <translation>选择或打开模型（Ctrl+M）</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Compare two ways of replying…</source>
      <translation>比较两种回复方式…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Compare, measure, import, export, back up</source>
      <translation>比较、测量、导入、导出、备份</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Export all as JSON…</source>
      <translation>全部导出为 JSON…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Export all as Markdown…</source>
      <translation>全部导出为 Markdown…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Import a folder of chats…</source>
      <translation>导入对话文件夹…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Import chats from a file…</source>
      <translation>从文件导入对话…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>In messages</source>
      <translation>消息中</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>In titles</source>
      <translation>标题中</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Log…</source>
      <translation>日志…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>New chat (Ctrl+N)</source>
      <translation>新对话（Ctrl+N）</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>No chat has these words.</source>
      <translation>没有对话包含这些词。</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Search chats</source>
      <translation>搜索对话</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Search titles and messages (Ctrl+K)</source>
      <translation>搜索标题和消息（Ctrl+K）</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Speculation, sampling, appearance (Ctrl+,)</source>
      <translation>投机解码、采样、外观（Ctrl+,）</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Welcome…</source>
      <translation>欢迎页…</translation>
    </message>
    <message>
      <location filename="app/views/sidebar.py" />
      <source>Your chats will be listed here.</source>
      <translation>你的对话会列在这里。</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>(Ctrl+T)</source>
      <translation>（Ctrl+T）</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Automatic: follow the text</source>
      <translation>自动：随文本判断</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Code: always</source>
      <translation>代码：固定</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Prose: always</source>
      <translation>文章：固定</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Task: {task}</source>
      <translation>任务：{task}</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>What is being written now, seen in the text; the draft follows it.</source>
      <translation>根据文本判断正在写的内容，草稿随之调整。</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>What works here…</source>
      <translation>实测效果…</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>Whether code or prose is written is seen in the text; the draft follows it.</source>
      <translation>根据文本判断写的是代码还是文章，草稿随之调整。</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>You have pinned the task; the draft follows it.</source>
      <translation>你已固定任务，草稿随之调整。</translation>
    </message>
    <message>
      <location filename="app/views/task_chip.py" />
      <source>{task}, pinned</source>
      <translation>{task}（已固定）</translation>
    </message>
    <message>
      <location filename="app/views/text_window.py" />
      <source>Copy for a bug report</source>
      <translation>复制用于错误报告</translation>
    </message>
    <message>
      <location filename="app/views/text_window.py" />
      <source>Refresh</source>
      <translation>刷新</translation>
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Show or hide what it thought; it is not sent back to the model</source>
      <translation>显示或隐藏思考过程；它不会再发给模型</translation>
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thinking…</source>
      <translation>正在思考…</translation>
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thinking… {time} s</source>
      <translation>正在思考… {time} 秒</translation>
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thought</source>
      <translation>思考过程</translation>
    </message>
    <message>
      <location filename="app/views/thought_view.py" />
      <source>Thought for {time} s</source>
      <translation>思考了 {time} 秒</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>About {time}, {disk:.1f} GB of disk and {memory:.1f} GB of memory.</source>
      <translation>约需 {time}、{disk:.1f} GB 磁盘和 {memory:.1f} GB 内存。</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Also ask my own questions from my chats</source>
      <translation>也用我在对话中提过的问题</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>For code</source>
      <translation>用于代码</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>For prose</source>
      <translation>用于文章</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Go on</source>
      <translation>继续</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>How many of the head's first guesses are right, as it learns</source>
      <translation>学习过程中，草稿头的首个猜测有多少正确</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Load the model that the draft is to be for.</source>
      <translation>请先加载要训练草稿的模型。</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Loading the model…</source>
      <translation>正在加载模型…</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Measuring what it gains</source>
      <translation>正在测量增益</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Progress of the training</source>
      <translation>训练进度</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Reading the answers again</source>
      <translation>正在重读回答</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>The model answers questions</source>
      <translation>模型正在回答问题</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>They are read on this machine only, and the draft's card names none of them</source>
      <translation>只在这台机器上读取，草稿的说明中不会出现</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Train a draft</source>
      <translation>训练草稿</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>Training</source>
      <translation>正在训练</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>accepted on questions it never saw: {rate}</source>
      <translation>在未见过的问题上的接受率：{rate}</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>for all tasks</source>
      <translation>（所有任务）</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>for code</source>
      <translation>（代码）</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>for prose</source>
      <translation>（文章）</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>paused</source>
      <translation>已暂停</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{model} answers thousands of questions here, and a small head learns to foresee its words. Such a draft makes it faster and never changes what it says. Training runs at low priority, waits while you chat, and goes on where it was stopped.</source>
      <translation>{model} 会在这里回答数千个问题，由一个小的草稿头学习预测它的用词。这样的草稿能让它更快，而不改变它说的内容。训练以低优先级运行，你对话时会等待，停下后可从原处继续。</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{name}: accepted {rates} by position, {rounds:.2f} tokens a round, {gain:.2f} times as fast.</source>
      <translation>{name}：各位置接受率 {rates}，每轮 {rounds:.2f} 个词元，速度为 {gain:.2f} 倍。</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{speed:,.0f} tokens a second</source>
      <translation>每秒 {speed:,.0f} 个词元</translation>
    </message>
    <message>
      <location filename="app/views/training_page.py" />
      <source>{step} {purpose}</source>
      <translation>{step}{purpose}</translation>
    </message>
    <message>
      <location filename="app/views/version_switch.py" />
      <source>Next version</source>
      <translation>下一个版本</translation>
    </message>
    <message>
      <location filename="app/views/version_switch.py" />
      <source>Version before</source>
      <translation>上一个版本</translation>
    </message>
    <message>
      <location filename="app/views/version_switch.py" />
      <source>Version {number} of {count}</source>
      <translation>第 {number} 个版本，共 {count} 个</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>As the system</source>
      <translation>跟随系统</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Back</source>
      <translation>上一步</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Choose another folder…</source>
      <translation>选择其他文件夹…</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Fetch it in the background</source>
      <translation>在后台下载</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Foreword runs a language model on this machine: nothing you write leaves it. A small draft writes a few tokens ahead, the model checks them in one pass, and gauges show how fast that is, and why.</source>
      <translation>Foreword 在这台机器上运行语言模型：你写的内容不会离开这里。小草稿提前写出几个词元，模型一次检查完，仪表会显示有多快，以及原因。</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Language of the window</source>
      <translation>窗口的语言</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Looking at this machine…</source>
      <translation>正在检查这台机器…</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Models are large files. They are kept in one folder, which you can put on another disk.</source>
      <translation>模型文件很大，都放在一个文件夹里，你可以把它放到别的磁盘上。</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Next</source>
      <translation>下一步</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Skip</source>
      <translation>跳过</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Start chatting</source>
      <translation>开始对话</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Step {n} of {count}</source>
      <translation>第 {n} 步，共 {count} 步</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>The starter</source>
      <translation>入门模型</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Welcome to Foreword</source>
      <translation>欢迎使用 Foreword</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>Which model</source>
      <translation>选择模型</translation>
    </message>
    <message>
      <location filename="app/views/welcome.py" />
      <source>You can chat with the starter in a moment. A better model is fetched meanwhile, if you like.</source>
      <translation>入门模型马上就能用来对话。如果愿意，可以同时下载更好的模型。</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>All models: load, download, remove</source>
      <translation>所有模型：加载、下载、移除</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>All settings</source>
      <translation>所有设置</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Chat above</source>
      <translation>上一个对话</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Chat below</source>
      <translation>下一个对话</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Choose a model</source>
      <translation>选择模型</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Choose a preset</source>
      <translation>选择预设</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Continue the last reply</source>
      <translation>续写上一条回复</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Copy the last reply</source>
      <translation>复制上一条回复</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Details of the last reply</source>
      <translation>上一条回复的详情</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Edit the last question</source>
      <translation>编辑上一个问题</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Hit before</source>
      <translation>上一处</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Larger text</source>
      <translation>放大文字</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Next hit</source>
      <translation>下一处</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Quit</source>
      <translation>退出</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Rename the selected chat</source>
      <translation>重命名选中的对话</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Replies</source>
      <translation>回复</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Search and chats</source>
      <translation>搜索与对话</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Show or hide the gauges</source>
      <translation>显示或隐藏仪表</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Smaller text</source>
      <translation>缩小文字</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Speculation: automatic, on, off</source>
      <translation>投机解码：自动、开启、关闭</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Stop the reply, or close the settings</source>
      <translation>停止回复，或关闭设置</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Task: automatic, code, prose</source>
      <translation>任务：自动、代码、文章</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Undo deleting</source>
      <translation>撤销删除</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Usual text size</source>
      <translation>默认文字大小</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Window and settings</source>
      <translation>窗口与设置</translation>
    </message>
    <message>
      <location filename="app/views/window.py" />
      <source>Write a question</source>
      <translation>书写问题</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>Go on with the welcome…</source>
      <translation>回到欢迎页…</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>No larger model fits into this machine's free memory. The page of models shows what there is.</source>
      <translation>这台机器的可用内存放不下更大的模型。可在模型页查看所有模型。</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>No model was fetched or loaded. The welcome comes again at the next start.</source>
      <translation>没有下载或加载模型。下次启动时会再次显示欢迎页。</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>Recommended here: {name}</source>
      <translation>推荐本机使用：{name}</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>about {speed} tokens a second here before speculation</source>
      <translation>在这台机器上不用投机解码时约每秒 {speed} 个词元</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>it speaks Chinese, which the starter does not</source>
      <translation>它会中文，入门模型不会</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>there is not enough room for it where models are kept</source>
      <translation>模型存放位置的空间不够</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>{facts}. {note}</source>
      <translation>{facts}。{note}</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>{name}, {size}. {note}</source>
      <translation>{name}，{size}。{note}</translation>
    </message>
    <message>
      <location filename="app/welcoming.py" />
      <source>{size} to download</source>
      <translation>需下载 {size}</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>A tiny model to start with. It speaks English only and is often wrong about facts.</source>
      <translation>用来入门的微型模型。只会英语，常弄错事实。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; a draft for its larger siblings.</source>
      <translation>中文和英文；可为同系列更大的模型起草。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; a good fit for 16 GB of memory.</source>
      <translation>中文和英文；适合 16 GB 内存。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; a good fit for a 24 GB card.</source>
      <translation>中文和英文；适合 24 GB 显卡。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; at 4 bits for a 24 GB card.</source>
      <translation>中文和英文；4 位可用于 24 GB 显卡。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; at 4 bits it fills a 24 GB card.</source>
      <translation>中文和英文；4 位会占满 24 GB 显卡。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Chinese and English; quick on a processor.</source>
      <translation>中文和英文；在处理器上很快。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>For code.</source>
      <translation>用于代码。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>For code; a draft for its larger siblings.</source>
      <translation>用于代码；可为同系列更大的模型起草。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>From a copy that asks for no account. Its licence has conditions of its own.</source>
      <translation>来自无需账号的副本。它的许可证另有条件。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Good English for its size.</source>
      <translation>以它的大小来说英语不错。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Many languages; at 4 bits for a 16 GB card. The hub may ask for an account that accepted its terms.</source>
      <translation>支持多种语言；4 位可用于 16 GB 显卡。模型站可能要求使用已接受其条款的账号。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Many languages; at 4 bits it fills a 24 GB card. The hub may ask for an account that accepted its terms.</source>
      <translation>支持多种语言；4 位会占满 24 GB 显卡。模型站可能要求使用已接受其条款的账号。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Over 140 languages. From a copy that asks for no account; its licence has conditions of its own.</source>
      <translation>支持 140 多种语言。来自无需账号的副本；它的许可证另有条件。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Six languages; can think before it answers.</source>
      <translation>支持六种语言；可以先思考再回答。</translation>
    </message>
    <message>
      <location filename="assets/catalogue.toml" />
      <source>Small and quick; English only.</source>
      <translation>小巧快速；只会英语。</translation>
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Clear prose</source>
      <translation>清晰文章</translation>
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Exact and repeatable</source>
      <translation>精确且可复现</translation>
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Short answers</source>
      <translation>简短回答</translation>
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>Story</source>
      <translation>讲故事</translation>
    </message>
    <message>
      <location filename="assets/presets.toml" />
      <source>中英互译</source>
      <translation>中英互译</translation>
    </message>
  </context>
</TS>
