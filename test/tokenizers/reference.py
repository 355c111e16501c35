"""Trains small tokenizers of every shape that is admitted, and some that are not, and writes what the reference makes of the texts.

Called with a directory that holds texts.json; writes <name>.json, the tokenizer, and <name>.ids.json for each.
"""

import json
import sys
from pathlib import Path

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers as n, pre_tokenizers as p, processors, trainers

directory = Path(sys.argv[1])
texts = json.loads((directory / "texts.json").read_text())
# Texts that go through every character would be all there is to learn.
corpus = [text for text in texts if len(text) < 400 and not text.startswith("\u0001")]
limits = [4, 16]

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
CLIP = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


def charsmap(rule):
    """The compiled map of a normalisation rule of SentencePiece, from a model trained with it."""
    prefix = str(directory / rule)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus), model_prefix=prefix, vocab_size=1200, character_coverage=0.98,
        normalization_rule_name=rule, hard_vocab_limit=False, minloglevel=2, num_threads=1,
    )
    model = Path(prefix + ".model").read_bytes()

    def fields(data):
        at = 0

        def varint():
            nonlocal at
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return value

        while at < len(data):
            tag = varint()
            if tag & 7 == 2:
                length = varint()
                yield tag >> 3, data[at : at + length]
                at += length
            elif tag & 7 == 0:
                yield tag >> 3, varint()
            else:
                at += 4 if tag & 7 == 5 else 8

    spec = next(value for field, value in fields(model) if field == 3)
    made = next(value for field, value in fields(spec) if field == 2)
    processor = sentencepiece.SentencePieceProcessor(model_file=prefix + ".model")
    pieces = [(processor.id_to_piece(i), processor.get_score(i)) for i in range(processor.get_piece_size())]
    return bytes(made), pieces


def trained(model, trainer, normalizer=None, pre=None, learned=corpus):
    tokenizer = Tokenizer(model)
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre is not None:
        tokenizer.pre_tokenizer = pre
    tokenizer.train_from_iterator(learned, trainer)
    return tokenizer


def template(tokenizer, before, after):
    around = [*before, "$A", *after]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=around, pair=[*around, "$B:1"],
        special_tokens=[(name, tokenizer.token_to_id(name)) for name in {*before, *after}],
    )
    return tokenizer


made = {}
refused = {}

# WordPiece, as BERT and its descendants have it.
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def bert(normalizer, pre=None, size=1500, added=(), **settings):
    trainer = trainers.WordPieceTrainer(vocab_size=size, special_tokens=BERT, show_progress=False)
    tokenizer = trained(models.WordPiece(unk_token="[UNK]", **settings), trainer, normalizer, pre or p.BertPreTokenizer())
    template(tokenizer, ["[CLS]"], ["[SEP]"])
    tokenizer.add_tokens(list(added))
    return tokenizer


for clean in (True, False):
    for chinese in (True, False):
        for accents, lower in ((None, True), (None, False), (True, False), (False, True)):
            name = f"bert clean={clean} chinese={chinese} accents={accents} lower={lower}"
            made[name] = bert(n.BertNormalizer(clean, chinese, accents, lower))
bert_normalizer = n.BertNormalizer()
made["bert small words"] = bert(bert_normalizer, max_input_chars_per_word=6)
made["bert whitespace"] = bert(n.NFD(), p.Whitespace())
made["bert whitespace split"] = bert(n.Sequence([n.NFKD(), n.StripAccents(), n.Lowercase()]), p.WhitespaceSplit())
made["bert strip"] = bert(n.Sequence([n.Strip(True, True), n.NFKC(), n.Lowercase()]))
made["bert strip left"] = bert(n.Sequence([n.NFKC(), n.Strip(True, False)]), p.Metaspace(split=False))
made["bert strip right"] = bert(n.Sequence([n.NFKC(), n.Strip(False, True)]), p.Metaspace())
made["bert digits"] = bert(bert_normalizer, p.Sequence([p.WhitespaceSplit(), p.Digits(True), p.Punctuation("contiguous")]))
made["bert runs of digits"] = bert(bert_normalizer, p.Sequence([p.Whitespace(), p.Digits(False)]))
for behavior in ("removed", "isolated", "contiguous", "merged_with_previous", "merged_with_next"):
    made[f"bert punctuation {behavior}"] = bert(n.NFC(), p.Sequence([p.WhitespaceSplit(), p.Punctuation(behavior)]))
    made[f"bert split {behavior}"] = bert(n.NFC(), p.Split(" ", behavior))
made["bert split inverted"] = bert(n.NFC(), p.Split(Regex(r"[\p{L}\p{M}]+"), "removed", invert=True))
made["bert split classes"] = bert(n.NFC(), p.Split(Regex(r"[a-z\u00df-\u00ff]+|[^\s\w]|\d{2,3}|\S\s?|[\-\]\\^.]"), "isolated"))
made["bert added tokens"] = bert(
    bert_normalizer,
    added=[
        AddedToken("[Alone]", single_word=True), AddedToken("[left]", lstrip=True, normalized=False),
        AddedToken("Right", rstrip=True), AddedToken("ab", single_word=True, normalized=False),
        AddedToken("abc", normalized=False), AddedToken("é", single_word=True), AddedToken("<mask>", lstrip=True, special=True),
        AddedToken("the", single_word=True, lstrip=True, rstrip=True),
    ],
)  # fmt: skip
mpnet = bert(bert_normalizer)
mpnet.post_processor = processors.RobertaProcessing(("[SEP]", 3), ("[CLS]", 2))
made["mpnet"] = mpnet
bert_processing = bert(bert_normalizer)
bert_processing.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
made["bert processing"] = bert_processing

# Whole words.
trainer = trainers.WordLevelTrainer(vocab_size=800, special_tokens=["[UNK]"], show_progress=False)
made["word level"] = trained(models.WordLevel(unk_token="[UNK]"), trainer, n.Lowercase(), p.Whitespace())
made["word level bert"] = trained(models.WordLevel(unk_token="[UNK]"), trainer, bert_normalizer, p.BertPreTokenizer())

# Byte pair encoding over bytes.
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>"]


def bytes_bpe(pre, normalizer=None, special=("<|endoftext|>",), size=1200, after=True, **settings):
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=list(special), initial_alphabet=p.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer = trained(models.BPE(**settings), trainer, normalizer, pre)
    return template(tokenizer, [], [special[0]]) if after else tokenizer


def by(pattern):
    return p.Sequence([p.Split(Regex(pattern), "isolated"), p.ByteLevel(add_prefix_space=False, use_regex=False)])


roberta = bytes_bpe(p.ByteLevel(add_prefix_space=False), special=ROBERTA, after=False)
roberta.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
roberta.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
made["roberta"] = roberta
made["gpt2"] = bytes_bpe(p.ByteLevel(add_prefix_space=False))
made["gpt2 with a space before"] = bytes_bpe(p.ByteLevel(add_prefix_space=True))
made["modernbert"] = bytes_bpe(p.ByteLevel(add_prefix_space=False), n.NFC())
made["bytes without words"] = bytes_bpe(p.ByteLevel(add_prefix_space=False, use_regex=False))
made["qwen2"] = bytes_bpe(by(QWEN2), n.NFC())
llama3 = bytes_bpe(by(LLAMA3), ignore_merges=True, special=("<|begin_of_text|>", "<|end_of_text|>"), after=False)
begins = processors.TemplateProcessing(single="<|begin_of_text|> $A", special_tokens=[("<|begin_of_text|>", 0)])
llama3.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), begins])
made["llama3"] = llama3
made["cl100k"] = bytes_bpe(by(CL100K))
made["o200k"] = bytes_bpe(by(O200K))
made["bytes of digits"] = bytes_bpe(p.Sequence([p.Digits(True), p.ByteLevel(add_prefix_space=False)]))
clip_trainer = trainers.BpeTrainer(
    vocab_size=1500, special_tokens=["<|startoftext|>", "<|endoftext|>"], end_of_word_suffix="</w>",
    initial_alphabet=p.ByteLevel.alphabet(), show_progress=False,
)  # fmt: skip
clip = trained(
    models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>", continuing_subword_prefix=""), clip_trainer,
    n.Sequence([n.NFC(), n.Replace(Regex(r"\s+"), " "), n.Lowercase()]),
    p.Sequence([p.Split(Regex(CLIP), "removed", invert=True), p.ByteLevel(add_prefix_space=False)]),
)  # fmt: skip
made["clip"] = clip

# Byte pair encoding over characters, as of SentencePiece.
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def characters_bpe(normalizer=None, pre=None, special=("<unk>", "<s>", "</s>"), merges_unknown=False, **settings):
    trainer = trainers.BpeTrainer(vocab_size=1400, special_tokens=[*special, *BYTES], limit_alphabet=250, show_progress=False)
    tokenizer = trained(models.BPE(**settings), trainer, normalizer, pre)
    data = json.loads(tokenizer.to_str())
    data["added_tokens"] = [token for token in data["added_tokens"] if token["content"] not in BYTES]
    if not merges_unknown:
        data["model"]["merges"] = [pair for pair in data["model"]["merges"] if "<unk>" not in pair]
    return template(Tokenizer.from_str(json.dumps(data)), ["<s>"], [])


llama = n.Sequence([n.Prepend("▁"), n.Replace(" ", "▁")])
fallback = dict(unk_token="<unk>", fuse_unk=True, byte_fallback=True)
made["llama2"] = characters_bpe(llama, p.Split("▁", "merged_with_previous"), **fallback)
whole = json.loads(characters_bpe(llama, p.Split("▁", "merged_with_next"), **fallback).to_str())
whole["pre_tokenizer"] = None
made["llama2 without words"] = Tokenizer.from_str(json.dumps(whole))
made["gemma"] = characters_bpe(n.Replace(" ", "▁"), p.Split(" ", "merged_with_previous"), **fallback)
made["mistral"] = characters_bpe(None, p.Metaspace(prepend_scheme="first", split=False), **fallback)
made["mistral in words"] = characters_bpe(None, p.Metaspace(prepend_scheme="first"), **fallback)
made["characters, unknown apart"] = characters_bpe(None, p.Whitespace(), unk_token="<unk>", fuse_unk=False)
made["characters, unknown fused"] = characters_bpe(None, p.Whitespace(), unk_token="<unk>", fuse_unk=True)
made["characters, unknown left out"] = characters_bpe(n.NFKC(), p.WhitespaceSplit())

# Unigram.
XLMR = ["<s>", "<pad>", "</s>", "<unk>"]


def pieces_of(own, special):
    known = {*special, "<s>", "</s>", "<unk>"}
    return [(name, 0.0) for name in special] + [piece for piece in own if piece[0] not in known]


def unigram(normalizer, pre, own, special=XLMR, byte_fallback=False):
    vocabulary = pieces_of(own, special)
    if byte_fallback:
        vocabulary += [(name, 0.0) for name in BYTES]
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=special.index("<unk>"), byte_fallback=byte_fallback))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre is not None:
        tokenizer.pre_tokenizer = pre
    tokenizer.add_special_tokens([AddedToken(name, special=True) for name in special])
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True)])
    return template(tokenizer, ["<s>"], ["</s>"])


maps = {rule: charsmap(rule) for rule in ("nmt_nfkc", "nmt_nfkc_cf", "nfkc", "nfkc_cf")}
for rule, (compiled, own) in maps.items():
    made[f"unigram {rule}"] = unigram(n.Precompiled(compiled), p.Metaspace(), own)
compiled, own = maps["nmt_nfkc"]
precompiled = n.Precompiled(compiled)
spaces = n.Sequence([precompiled, n.Replace(Regex(" {2,}"), " ")])
made["xlm-roberta"] = unigram(precompiled, p.Sequence([p.WhitespaceSplit(), p.Metaspace()]), own)
made["multilingual-e5"] = unigram(spaces, p.Metaspace(), own)
made["t5"] = unigram(n.Sequence([n.Strip(False, True), precompiled, n.Replace(Regex(" {2,}"), "▁")]), p.Metaspace(), own)
made["t5 first"] = unigram(precompiled, p.Metaspace(prepend_scheme="first"), own)
made["albert"] = unigram(
    n.Sequence([n.Replace("``", '"'), n.Replace("''", '"'), n.NFKD(), n.StripAccents(), n.Lowercase(), precompiled, n.Replace(Regex(" {2,}"), " ")]),
    p.Metaspace(), own,
)  # fmt: skip
made["unigram never"] = unigram(n.NFKC(), p.Metaspace(prepend_scheme="never"), own)
made["unigram without words"] = unigram(spaces, p.Metaspace(split=False), own)
made["unigram of the whole text"] = unigram(precompiled, None, own)
made["unigram by bytes"] = unigram(precompiled, p.Metaspace(), own, byte_fallback=True)
scores = [(piece, round(score, 1)) for piece, score in own]
made["unigram of ties"] = unigram(precompiled, p.Metaspace(), scores)
letters = [(a + b, -4.0 if len(a + b) < 2 else -8.0) for a in "abcde▁" for b in ["", *"abcde"]]
made["unigram of letters that tie"] = unigram(None, p.Metaspace(), letters)
thirds = [(piece, score / 3) for piece, score in letters] + [("abc", -4.0), ("aaa", -4.0), ("bcd", -12 / 3)]
made["unigram of near-ties"] = unigram(None, p.Metaspace(), thirds)
hugging = trained(
    models.Unigram(),
    trainers.UnigramTrainer(vocab_size=400, special_tokens=["<unk>", "<s>", "</s>"], unk_token="<unk>", show_progress=False),
    n.NFKC(), p.Metaspace(), learned=[text for text in corpus if text.isascii() and "\0" not in text],
)  # fmt: skip
made["unigram trained by the library"] = template(hugging, ["<s>"], ["</s>"])

# What is not done is refused.
refused["dropout"] = bytes_bpe(p.ByteLevel(add_prefix_space=False))
refused["dropout"].model.dropout = 0.5
refused["merges of the unknown token"] = characters_bpe(
    llama, p.Split("▁", "merged_with_previous"), merges_unknown=True, **fallback
)
refused["scripts"] = bert(bert_normalizer, p.UnicodeScripts())
refused["fixed length"] = bert(bert_normalizer, p.FixedLength(5))
refused["delimiter"] = bert(bert_normalizer, p.CharDelimiterSplit(","))
refused["nmt"] = bert(n.Nmt())
refused["bytes as a normalizer"] = bert(n.ByteLevel())
refused["a set in a class"] = bert(n.NFC(), p.Split(Regex(r"[\w&&[^\d]]+"), "isolated"))
refused["an anchor"] = bert(n.NFC(), p.Split(Regex(r"^a"), "isolated"))
refused["first behind another"] = unigram(None, p.Sequence([p.WhitespaceSplit(), p.Metaspace(prepend_scheme="first")]), own)
refused["first behind a strip"] = unigram(n.Strip(True, True), p.Metaspace(prepend_scheme="first"), own)
refused["a prefix of subwords"] = trained(
    models.BPE(unk_token="a", continuing_subword_prefix="##"),
    trainers.BpeTrainer(vocab_size=1200, continuing_subword_prefix="##", special_tokens=["a"], show_progress=False),
    None, p.Whitespace(),
)  # fmt: skip

names = []
for group, tokenizers in (("exact", made), ("refused", refused)):
    for number, (name, tokenizer) in enumerate(tokenizers.items()):
        file = f"{group}-{number}"
        tokenizer.save(str(directory / f"{file}.json"), pretty=False)
        names.append({"name": name, "file": file, "group": group})
        if group == "refused":
            continue
        loaded = Tokenizer.from_file(str(directory / f"{file}.json"))
        ids = [loaded.encode(text).ids for text in texts]
        cut = []
        for limit in limits:
            loaded.enable_truncation(limit)
            cut.append([loaded.encode(text).ids for text in texts])
        (directory / f"{file}.ids.json").write_text(json.dumps({"ids": ids, "limits": limits, "cut": cut}))
(directory / "names.json").write_text(json.dumps(names))
