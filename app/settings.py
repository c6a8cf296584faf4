"""Everything a person can set. The fields of `Settings` are the one table: defaults, bounds, labels and help stand here
and feed validation, the settings file, the panel and the command line alike.

Labels and help are English; whoever shows them passes them through `app.language.tr`.
"""

# ruff: noqa: RUF009 (_setting returns a dataclass field, as field() itself does)

from dataclasses import dataclass, fields, replace
from typing import Literal

from app.setting import Setting
from app.setting import setting as _setting
from app.setting_rules import Choice, Flag, Integer, Number, Text
from inference.settings import (
    MAX_DRAFT_LENGTH,
    ComputeType,
    DrafterKind,
    FourBit,
    FourBitKind,
    GenerationSettings,
    LoadSettings,
    Mode,
    Precision,
    SamplingSettings,
    SpeculationSettings,
)
from inference.tasks import TaskChoice

Appearance = Literal["system", "light", "dark"]
LanguageChoice = Literal["system", "en", "zh"]
MotionChoice = Literal["system", "reduced", "full"]
CacheBits = Literal["16", "8", "4", "2"]
Int4Group = Literal["32", "64", "128"]
DraftDevice = Literal["auto", "target", "cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3"]
ZOOM_RANGE = (60, 250)  # percent
PRECISIONS = Choice(
    (
        ("auto", "Automatic"),
        ("float32", "float32"),
        ("bfloat16", "bfloat16"),
        ("float16", "float16"),
        ("int8", "8-bit"),
        ("int4", "4-bit"),
    )
)


@dataclass(frozen=True)
class Settings:
    """Always valid: making one with a value out of bounds raises ValueError with a plain sentence."""

    speculation: Mode = _setting(
        "automatic",
        Choice((("off", "Off"), ("on", "On"), ("automatic", "Automatic"))),
        "speculation",
        "Speculation",
        "A draft writes a few tokens ahead and the model checks them in one pass; automatic pauses while that loses.",
    )
    drafter: DrafterKind = _setting(
        "automatic",
        Choice(
            (
                ("automatic", "Automatic"),
                ("none", "None"),
                ("ngram", "N-gram"),
                ("model", "Model"),
                ("head", "Trained"),
                ("combined", "Both"),
            )
        ),
        "speculation",
        "Draft",
        "Automatic takes what proves fastest for code and for prose; n-gram repeats what the chat already says and "
        "costs nothing; a model is a small sibling of the target; trained is a "
        "head made for this very target; both takes the n-gram where the text repeats itself "
        "at length and the model elsewhere.",
    )
    task: TaskChoice = _setting(
        "automatic",
        Choice((("automatic", "Automatic"), ("code", "Code"), ("prose", "Prose"))),
        "speculation",
        "Task",
        "What is being written, which the draft follows; automatic sees it in the text.",
    )
    draft_model: str = _setting(
        "",
        Text(),
        "speculation",
        "Draft model",
        "The small model that drafts; it must share the vocabulary of the model you chat with.",
    )
    align_drafts: bool = _setting(
        False,
        Flag(),
        "speculation",
        "Drafts of other families",
        "Also let a model with another vocabulary draft, by its text: replies stay exactly the target's, but every "
        "draft is spelled twice and loses its last word, so it gains less; holds for the next draft that is loaded.",
    )
    more_drafts: str = _setting(
        "",
        Text(lines=True),
        "speculation",
        "Further draft models",
        "Folders, one a line, of draft models that are kept beside the first, for the task each of them is fastest at.",
    )
    dynamic: bool = _setting(
        True,
        Flag(),
        "speculation",
        "Dynamic length",
        "Let the draft length follow what is being accepted; off keeps it fixed.",
    )
    draft_length: int = _setting(
        4,
        Integer(1, MAX_DRAFT_LENGTH),
        "speculation",
        "Draft length",
        "How many tokens are drafted each round (K); with a dynamic length, the first guess.",
    )
    max_draft_length: int = _setting(
        8,
        Integer(1, MAX_DRAFT_LENGTH),
        "speculation",
        "Longest draft",
        "The longest a dynamic draft may grow.",
    )
    min_acceptance: float = _setting(
        0.6,
        Number(0.0, 1.0, 0.05, percent=True),
        "speculation",
        "Least acceptance",
        "When fewer of the drafted tokens than this are accepted, a dynamic draft gets shorter.",
    )
    learn_from_chats: bool = _setting(
        True,
        Flag(),
        "speculation",
        "Learn from past chats",
        "Draft from what was said in earlier chats, too: where a reply repeats it, it comes at once; nothing leaves "
        "this machine, a chat can be left out in its menu, and what is deleted is forgotten.",
    )
    temperature: float = _setting(
        0.7,
        Number(0.0, 2.0, 0.05),
        "sampling",
        "Temperature",
        "Low is steady and fast; high is lively and slower, as fewer drafted tokens fit; 0 takes the likeliest token.",
    )
    top_p: float = _setting(
        1.0,
        Number(0.0, 1.0, 0.01),
        "sampling",
        "Top-p",
        "Keep the likeliest tokens that together reach this probability; 1 keeps all.",
    )
    top_k: int = _setting(
        0, Integer(0, 1000), "sampling", "Top-k", "Keep only this many of the likeliest tokens; 0 keeps all."
    )
    min_p: float = _setting(
        0.0,
        Number(0.0, 1.0, 0.01),
        "sampling",
        "Min-p",
        "Leave out tokens less likely than this share of the likeliest one; 0 keeps all.",
    )
    repetition_penalty: float = _setting(
        1.0,
        Number(0.5, 2.0, 0.01),
        "sampling",
        "Repetition penalty",
        "Above 1 makes words that were already used less likely; 1 changes nothing.",
    )
    seed: int | None = _setting(
        None,
        Integer(0, 2**63 - 1, optional=True),
        "sampling",
        "Seed",
        "The same seed gives the same reply to the same question; empty draws a new one each time.",
    )
    max_tokens: int = _setting(
        1024,
        Integer(1, 1_000_000, 128),
        "reply",
        "Longest reply",
        "The reply stops after this many tokens.",
    )
    system_prompt: str = _setting(
        "",
        Text(lines=True),
        "reply",
        "System prompt",
        "What the model is told before every chat, such as its role or the language to answer in.",
    )
    show_tokens: bool = _setting(
        False,
        Flag(),
        "reply",
        "Show drafted tokens",
        "Mark in the reply which words the draft wrote and which the model wrote itself.",
    )
    name_chats: bool = _setting(
        True,
        Flag(),
        "reply",
        "Name new chats",
        "When it has nothing else to do, the model that answered gives a new chat its title.",
    )
    appearance: Appearance = _setting(
        "system",
        Choice((("system", "System"), ("light", "Light"), ("dark", "Dark"))),
        "appearance",
        "Appearance",
        "Light, dark, or whatever the system uses.",
    )
    language: LanguageChoice = _setting(
        "system",
        Choice((("system", "System"), ("en", "English / 英语"), ("zh", "中文 / Chinese"))),
        "appearance",
        "Language",
        "The language of the window, which is made anew for it; what the model writes follows your questions.",
    )
    zoom: int = _setting(
        100,
        Integer(*ZOOM_RANGE, 10),
        "appearance",
        "Text size",
        "How large the words of a chat are, in percent; Ctrl with +, - or 0, and Ctrl with the wheel, change it too.",
    )
    motion: MotionChoice = _setting(
        "system",
        Choice((("system", "As the system"), ("reduced", "Reduced"), ("full", "Full"))),
        "appearance",
        "Motion",
        "Animations: whether gauges walk to their values and panels slide in, or everything is in its place at once.",
    )
    model: str = _setting("", Text(), "loading", "Model", "The model you chat with: its name, or its folder.")
    context_length: int = _setting(
        8192,
        Integer(256, 1_048_576, 1024),
        "loading",
        "Context length",
        "How many tokens of a chat the model can see at once; longer needs more memory.",
    )
    precision: Precision = _setting(
        "auto",
        PRECISIONS,
        "loading",
        "Precision",
        "How exactly the weights are held: fewer bits need less memory and are usually faster.",
    )
    cache_bits: CacheBits = _setting(
        "16",
        Choice((("16", "16 bits"), ("8", "8 bits"), ("4", "4 bits (keys 5)"), ("2", "2 bits (keys 5)"))),
        "loading",
        "Chat memory",
        "How exactly the model keeps what it has read, where Foreword's own processor code runs it: 8 bits need half "
        "the memory, with perplexity as before; 4 bits a third, with +1 % on SmolLM2 and +1 % on Qwen 0.5B; "
        "2 bits over a quarter, with +12 % on SmolLM2 and +3 % on Qwen 0.5B; "
        "on graphics cards and with other models it stays at 16 bits.",
    )

    int4_group: Int4Group = _setting(
        "32",
        Choice((("32", "32"), ("64", "64"), ("128", "128"))),
        "loading",
        "4-bit group",
        "For 4-bit weights on the processor: how many of them share a scale; 64 take up to 10 % and 128 up to 15 % "
        "less memory, but small models pay dearly (a third more perplexity at 135 million weights), and a GGUF file's "
        "own blocks stay.",
    )
    draft_precision: Precision = _setting(
        "auto",
        PRECISIONS,
        "loading",
        "Draft precision",
        "How exactly a draft model's weights are held; automatic takes 4 bits where that is fast, and 16 elsewhere.",
    )
    draft_device: DraftDevice = _setting(
        "auto",
        Choice(
            (
                ("auto", "Automatic"),
                ("target", "As the model"),
                ("cpu", "Processor"),
                ("cuda:0", "Card 1"),
                ("cuda:1", "Card 2"),
                ("cuda:2", "Card 3"),
                ("cuda:3", "Card 4"),
            )
        ),
        "loading",
        "Draft's device",
        "What holds a draft model: automatic takes a graphics card beside the model's where there is one with room, so "
        "that the next draft is written while the model checks the last one, else the model's own card, else the "
        "processor.",
    )
    offload: bool = _setting(
        False,
        Flag(),
        "loading",
        "Larger than memory",
        "Let a model be loaded that does not fit: layers without room on the graphics card lie in main memory, those "
        "without room there on the disk, and every pass fetches them again, which is many times slower.",
    )
    four_bit_kind: FourBitKind = _setting(
        "nf4",
        Choice((("nf4", "NF4"), ("fp4", "FP4"))),
        "loading",
        "4-bit kind",
        "For 4-bit weights on a graphics card: NF4 is the more exact of the two.",
    )
    four_bit_double: bool = _setting(
        True,
        Flag(),
        "loading",
        "Double quantization",
        "For 4-bit weights on a graphics card: the scales are packed as well, which saves a tenth of the memory.",
    )
    four_bit_block: str = _setting(
        "64",
        Choice((("64", "64"), ("128", "128"))),
        "loading",
        "4-bit block",
        "For 4-bit weights on a graphics card: how many weights share a scale; fewer are more exact.",
    )
    four_bit_compute: ComputeType = _setting(
        "auto",
        Choice((("auto", "Automatic"), ("bfloat16", "bfloat16"), ("float16", "float16"), ("float32", "float32"))),
        "loading",
        "4-bit compute type",
        "For 4-bit weights on a graphics card: the numbers in which their products are made.",
    )
    look_for_updates: bool = _setting(
        False,
        Flag(),
        "program",
        "Look for a newer version once a day",
        "Asks the package index which versions of Foreword there are; nothing about you, your chats or this machine is "
        "sent, and nothing is downloaded or installed.",
    )

    def __post_init__(self) -> None:
        for setting in TABLE:
            object.__setattr__(self, setting.name, setting.check(getattr(self, setting.name)))

    def with_value(self, name: str, value: object) -> "Settings":
        """A copy with one value changed. Raises ValueError with a plain sentence."""
        if name not in BY_NAME:
            raise ValueError(f"There is no setting called {name!r}.")
        return replace(self, **{name: BY_NAME[name].check(value)})

    @property
    def needs_model(self) -> bool:
        """Whether a draft model is of use."""
        return self.drafter in ("automatic", "model", "combined")

    def generation(self) -> GenerationSettings:
        """What the engine needs to know for the next reply."""
        return GenerationSettings(
            sampling=SamplingSettings(
                temperature=self.temperature,
                top_k=self.top_k,
                top_p=self.top_p,
                min_p=self.min_p,
                repetition_penalty=self.repetition_penalty,
                seed=self.seed,
            ),
            speculation=SpeculationSettings(
                mode=self.speculation,
                drafter=self.drafter,
                draft_length=self.draft_length,
                dynamic=self.dynamic,
                max_draft_length=self.max_draft_length,
                min_acceptance=self.min_acceptance,
                task=self.task,
            ),
            max_tokens=self.max_tokens,
        )

    def load(self) -> LoadSettings:
        """How the next model is to be loaded."""
        return LoadSettings(
            precision=self.precision,
            context_length=self.context_length,
            draft_precision=self.draft_precision,
            draft_device=self.draft_device,
            offload=self.offload,
            four_bit=FourBit(self.four_bit_kind, self.four_bit_double, int(self.four_bit_block), self.four_bit_compute),
            align=self.align_drafts,
            cache_bits=int(self.cache_bits),
            int4_group=int(self.int4_group),
        )


TABLE: tuple[Setting, ...] = tuple(Setting(name=f.name, default=f.default, **f.metadata) for f in fields(Settings))
BY_NAME: dict[str, Setting] = {setting.name: setting for setting in TABLE}
