"""nomic-embed-text out of a cut zip archive and a GGUF: tensors under the authors' names, and the
tokenizer made from the word list that the GGUF holds."""

import json
import struct
import zlib

from . import gguf
from .registry import Failure, expect_sha256
from .safetensors import Tensor

ZIP_ENTRY = b"PK\x03\x04"
ZIP_ENTRY_HEADER = 30
DEFLATED = 8
WORD_START = "\u2581"
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")

OUTER_NAMES = {
    "token_embd": "embeddings.word_embeddings",
    "token_types": "embeddings.token_type_embeddings",
    "token_embd_norm": "emb_ln",
}
LAYER_NAMES = {
    "attn_qkv": "attn.Wqkv",
    "attn_output": "attn.out_proj",
    "ffn_up": "mlp.fc11",
    "ffn_gate": "mlp.fc12",
    "ffn_down": "mlp.fc2",
    "attn_output_norm": "norm1",
    "layer_output_norm": "norm2",
}


def unpack(parts: dict[str, bytes], package: dict) -> bytes:
    """Joins the parts of the cut archive and inflates the one entry the registry names."""
    archive = memoryview(b"".join(parts[name] for name in sorted(parts)))
    start = package["entry_offset"]
    header = archive[start : start + ZIP_ENTRY_HEADER]
    name_size, extra_size = struct.unpack("<HH", header[26:30])
    name = bytes(archive[start + ZIP_ENTRY_HEADER :][:name_size]).decode()
    method = struct.unpack("<H", header[8:10])[0]
    if header[:4] != ZIP_ENTRY or method != DEFLATED or name != package["entry_name"]:
        raise Failure(f"no deflated entry {package['entry_name']} at {start}")
    begin = start + ZIP_ENTRY_HEADER + name_size + extra_size
    inflater = zlib.decompressobj(-15)
    packed = archive[begin : begin + package["entry_packed_bytes"]]
    data = inflater.decompress(packed, package["entry_bytes"])
    expect_sha256(name, data, package["entry_sha256"])
    return data


def convert(data: bytes) -> tuple[dict[str, Tensor], str]:
    """Returns the tensors under the authors' names, and the text of tokenizer.json."""
    pairs, entries = gguf.read(data)
    tensors = {
        _name(name): Tensor(entry.dtype, entry.shape, entry.data) for name, entry in entries.items()
    }
    return tensors, _tokenizer(pairs["tokenizer.ggml.tokens"])


def _name(name: str) -> str:
    parts = name.split(".")
    if parts[0] == "blk":
        return f"encoder.layers.{parts[1]}.{LAYER_NAMES[parts[2]]}.{parts[3]}"
    return f"{OUTER_NAMES[parts[0]]}.{parts[1]}"


def _word(token: str) -> str:
    """GGUF marks the start of a word, a BERT word list marks its continuation."""
    if token.startswith(WORD_START):
        return token[len(WORD_START) :]
    if token in SPECIAL_TOKENS or (token.startswith("[unused") and token.endswith("]")):
        return token
    return "##" + token


def _tokenizer(tokens: list[str]) -> str:
    vocabulary = {_word(token): number for number, token in enumerate(tokens)}
    if len(vocabulary) != len(tokens):
        raise Failure("the GGUF's word list has the same word twice")
    layout = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_added(token, vocabulary[token]) for token in SPECIAL_TOKENS],
        "normalizer": {
            "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
            "strip_accents": None, "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": _template(vocabulary),
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary,
        },
    }
    return json.dumps(layout, separators=(",", ":")) + "\n"


def _added(token: str, number: int) -> dict:
    return {
        "id": number, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
        "normalized": False, "special": True,
    }


def _template(vocabulary: dict[str, int]) -> dict:
    def special(token: str, sequence: int) -> dict:
        return {"SpecialToken": {"id": token, "type_id": sequence}}

    def sequence(name: str, number: int) -> dict:
        return {"Sequence": {"id": name, "type_id": number}}

    single = [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)]
    tokens = {
        token: {"id": token, "ids": [vocabulary[token]], "tokens": [token]}
        for token in ("[CLS]", "[SEP]")
    }
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, sequence("B", 1), special("[SEP]", 1)],
        "special_tokens": tokens,
    }
