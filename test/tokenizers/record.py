"""Writes test/embeddings/engines/onnx/recorded-tokens.json: what the reference makes of some odd texts.

To run it again: python3 -m pip install tokenizers==0.23.2 sentencepiece==0.2.3, then python3 test/tokenizers/record.py.
The map of characters is a small one of the kind that SentencePiece compiles, with rules of its own.
"""

import base64
import json
import tempfile
from pathlib import Path

import sentencepiece
from tokenizers import Tokenizer

RULES = {
    "ﬁ": "fi", "e\u0301": "\u00e9", "か\u3099": "\u304c", "ｶ": "カ", "ｶﾞ": "ガ", "ﷺ": "صلى الله", "\u3000": " ", "\u200b": "", "Ａ": "A", "①": "1",
    "\u1100\u1161": "\uac00", "½": "1⁄2", "\t": " ", "\r\n": " ", "\n": " ", "A\u030a": "\u00c5", "©": "(c)",
}  # fmt: skip
TEXTS = [
    "", " ", "a", "ab abab", "  ab  a ", "ﬁ fi ﬁ\u0301", "é e\u0301 e\u0301\u0316", "か\u3099 か が", "ｶﾞｶ ﾞ", "ﷺﷺ", "a\u3000b\u200bc\u200b", "ＡＢ ①½\u0301",
    "\u1100\u1161\u11a8 가각", "a\r\nb\tc\nd", "👩\u200d👩\u200d👧 🇩🇪👍🏽", "ΟΔΥΣΣΕΥΣ Σ ΑΣ", "İstanbul ǅ", "漢字𠀀 丽", "x\u0300\u0316\u0301y", "© ™ ² ½ Ⅷ ٣ १२ 3.14",
    "don't DON'T ſo 'S", "¡hola! «x» 〰 ؝ ৽ ॰ ᭎", "a\u0000b\ufffdc\u00add\ue000e\u0085f\u000bg", "<s>ab</s> <unk>  <mask>a", "[tok] x[tok] [tok]x [tok]",
    "▁ ▁▁a a▁b", "aaaaaaaaaaaa bbbb abcabc", "𞀏\u0301 𐗒\u0307 ࢗ", "zzz 漢漢 é漢", "\u0301\u0301a", " ".join("ab" * 9),
]  # fmt: skip


def compiled():
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, "rules.tsv")
        hexadecimal = lambda text: " ".join(f"{ord(character):X}" for character in text)
        rules.write_text("".join(f"{hexadecimal(key)}\t{hexadecimal(value)}\n" for key, value in RULES.items()))
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["ab abab fi"] * 9), model_prefix=str(Path(folder, "m")), vocab_size=12,
            normalization_rule_tsv=str(rules), hard_vocab_limit=False, minloglevel=2,
        )  # fmt: skip
        data = Path(folder, "m.model").read_bytes()
    # The specification of the normalizer is a message whose field 2 is the map.
    at = data.index(b"\x0a\x0cuser_defined\x12") + 15
    length = shift = 0
    while True:
        byte = data[at]
        length |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return base64.b64encode(data[at : at + length]).decode()


def token(number, content, **flags):
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False, **flags}


letters = sorted({character for text in TEXTS for character in text if character.isalnum() and ord(character) < 0x3000})
words = ["[UNK]", "[CLS]", "ab", "##ab", "fi", *letters, *[f"##{letter}" for letter in letters], "!", "'", ".", "漢"]
bert = {
    "added_tokens": [token(words.index("[CLS]"), "[CLS]", special=True), token(len(words), "[tok]", single_word=True)],
    "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
              "vocab": {word: number for number, word in enumerate(words)}},
}  # fmt: skip
pieces = [["<unk>", 0], ["<s>", 0], ["</s>", 0], ["▁", -2], ["a", -3], ["b", -3], ["ab", -5.9], ["▁ab", -5.5], ["aa", -6], ["aaa", -9], ["fi", -5], ["ガ", -4], ["が", -4],
          ["가", -4], ["é", -4], ["e", -4], ["1", -4], ["(c)", -8], ["صلى", -7], ["bc", -6.000000000000001], ["c", -3]]  # fmt: skip
unigram = {
    "added_tokens": [token(1, "<s>", special=True), token(2, "</s>", special=True), token(len(pieces), "<mask>", lstrip=True, special=True)],
    "normalizer": {"type": "Precompiled", "precompiled_charsmap": compiled()},
    "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
    "model": {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False},
}  # fmt: skip
level = {
    "added_tokens": [],
    "normalizer": {"type": "Lowercase"},
    "pre_tokenizer": {"type": "Whitespace"},
    "model": {"type": "WordLevel", "unk_token": "?", "vocab": {word: number for number, word in enumerate(["a", "?", "ab", "abab", "don", "'", "t", "οδυσσευσ", "σ", "漢字𠀀"])}},
}  # fmt: skip
split = {
    **level,
    "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}]},
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Punctuation", "behavior": "MergedWithNext"}, {"type": "Digits", "individual_digits": True}]},
}  # fmt: skip
first = {**unigram, "pre_tokenizer": {**unigram["pre_tokenizer"], "prepend_scheme": "first"}}
never = {**unigram, "pre_tokenizer": {**unigram["pre_tokenizer"], "prepend_scheme": "never", "split": False}}

tokenizers = {"WordPiece": bert, "Unigram": unigram, "Unigram, first": first, "Unigram, never": never, "WordLevel": level, "WordLevel, split": split}
recorded = []
for name, json_of in tokenizers.items():
    whole = {"version": "1.0", "truncation": None, "padding": None, "post_processor": None, "decoder": None, **json_of}
    loaded = Tokenizer.from_str(json.dumps(whole))
    recorded.append({"name": name, "tokenizer": whole, "ids": [loaded.encode(text).ids for text in TEXTS]})
target = Path(__file__).parent.parent / "embeddings/engines/onnx/recorded-tokens.json"
target.write_text(json.dumps({"texts": TEXTS, "recorded": recorded}, ensure_ascii=True) + "\n")
