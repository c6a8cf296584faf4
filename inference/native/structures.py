"""The structures of foreword.h, field by field, and the functions' signatures."""

import ctypes as c

Pointer = c.c_void_p


class Matrix(c.Structure):
    _fields_ = (
        ("data", Pointer),
        ("bias", Pointer),
        ("outputs", c.c_int64),
        ("inputs", c.c_int64),
        ("format", c.c_int32),
        ("unused", c.c_int32),
    )


class Attention(c.Structure):
    _fields_ = (
        ("heads", c.c_int64),
        ("kv_heads", c.c_int64),
        ("head_size", c.c_int64),
        ("window", c.c_int64),
        ("scale", c.c_float),
        ("epsilon", c.c_float),
        ("query_norm", Pointer),
        ("key_norm", Pointer),
        ("cosines", Pointer),
        ("sines", Pointer),
        ("key_offsets", Pointer),
    )


class Layer(c.Structure):
    _fields_ = (
        ("attention_norm", Pointer),
        ("query", Matrix),
        ("key", Matrix),
        ("value", Matrix),
        ("output", Matrix),
        ("attention", Attention),
        ("post_attention_norm", Pointer),
        ("feed_forward_norm", Pointer),
        ("gate", Matrix),
        ("up", Matrix),
        ("down", Matrix),
        ("post_feed_forward_norm", Pointer),
    )


class Model(c.Structure):
    _fields_ = (
        ("embedding", Matrix),
        ("head", Matrix),
        ("final_norm", Pointer),
        ("layers", c.POINTER(Layer)),
        ("layer_count", c.c_int64),
        ("hidden", c.c_int64),
        ("epsilon", c.c_float),
        ("embedding_scale", c.c_float),
        ("activation", c.c_int32),
        ("unused", c.c_int32),
    )


class Head(c.Structure):
    _fields_ = (
        ("embedding", Matrix),
        ("fuse", Matrix),
        ("join", Matrix),
        ("output", Matrix),
        ("embedding_norm", Pointer),
        ("feature_norm", Pointer),
        ("output_norm", Pointer),
        ("layer", c.POINTER(Layer)),
        ("vocabulary", Pointer),
        ("hidden", c.c_int64),
        ("epsilon", c.c_float),
        ("unused", c.c_int32),
    )


class Sampling(c.Structure):
    _fields_ = (
        ("temperature", c.c_float),
        ("top_p", c.c_float),
        ("min_p", c.c_float),
        ("repetition_penalty", c.c_float),
        ("top_k", c.c_int64),
    )


class Saying(c.Structure):
    _fields_ = (
        ("sampling", Sampling),
        ("logits", Pointer),
        ("rows", c.c_int64),
        ("size", c.c_int64),
        ("draft", Pointer),
        ("chances", Pointer),
        ("seen", Pointer),
        ("seen_count", c.c_int64),
        ("said", Pointer),
        ("count", c.c_int64),
    )


_I, _L, _F, _P = c.c_int32, c.c_int64, c.c_float, Pointer

# name: (result, arguments). Those that return an int32 error and run kernels are wrapped by library.Library.
FUNCTIONS: dict[str, tuple[type | None, tuple[type, ...]]] = {
    "foreword_instruction_set": (c.c_char_p, ()),
    "foreword_use": (_I, (c.c_char_p,)),
    "foreword_threads": (_I, ()),
    "foreword_set_threads": (_I, (_I,)),
    "foreword_lend": (_I, (_I,)),
    "foreword_fetch_from": (_I, (_L,)),
    "foreword_matrix_bytes": (_L, (_L, _L, _I)),
    "foreword_groups_bytes": (_L, (_L, _L)),
    "foreword_page_bytes": (_L, (_L, _L, _L, _I)),
    "foreword_pack_int4": (_I, (_P, _L, _L, _I, _P)),
    "foreword_quantize": (_I, (_P, _L, _L, _P)),
    "foreword_norm": (_I, (_P, _P, _F, _L, _L, _P)),
    "foreword_norm_quantize": (_I, (_P, _P, _F, _L, _L, _P)),
    "foreword_matmul": (_I, (_P, _P, _L, _P, _I)),
    "foreword_float_matmul": (_I, (_P, _P, _L, _P)),
    "foreword_float_attention": (_I, (_P, _P, _L, _L, _P, _P, _L, _I, _P)),
    "foreword_float_gate": (_I, (_P, _L, _L, _I, _P)),
    "foreword_gate_up": (_I, (_P, _P, _P, _L, _I, _P)),
    "foreword_embed": (_I, (_P, _P, _L, _F, _P)),
    "foreword_attention": (_I, (_P, _P, _P, _P, _L, _L, _P, _L, _P)),
    "foreword_argmax": (_I, (_P, _L, _L, _P)),
    "foreword_top_k": (_I, (_P, _L, _L, _L, _P, _P)),
    "foreword_model_new": (_P, (_P,)),
    "foreword_model_free": (None, (_P,)),
    "foreword_forward": (_I, (_P, _P, _L, _L, _P, _L, _P, _P)),
    "foreword_forward_texts": (_I, (_P, _P, _L, _P, _P, _P, _P)),
    "foreword_observe": (_I, (_P, _P, _L, _P)),
    "foreword_say": (_I, (_P,)),
    "foreword_distribution": (_I, (_P, _P, _L, _L, _P, _L, _P, _L, _P)),
    "foreword_head_new": (_P, (_P,)),
    "foreword_head_free": (None, (_P,)),
    "foreword_head_draft": (_I, (_P, _P, _P, _L, _L, _P, _L, _F, _P, _P)),
}
