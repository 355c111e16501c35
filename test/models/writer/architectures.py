"""The models that are compared: the directory of each in the layout of sentence-transformers, with random weights.

No hub is needed: tokenizers are trained on the texts, with the classes of `transformers` that convert the real ones.
"""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import sentencepiece
import torch
import transformers as t
from optimum.exporters.onnx import main_export
from sentence_transformers import SentenceTransformer, models
from tokenizers import AddedToken, ByteLevelBPETokenizer, BertWordPieceTokenizer, Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import BPE
from tokenizers.trainers import BpeTrainer

SIZE = {"hidden_size": 128, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 256}
VOCABULARY = 4000
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]


class Makers:
    """Trains each tokenizer once, in `scratch`, from `corpus`."""

    def __init__(self, scratch: Path, corpus: list[str]):
        self.scratch = scratch
        self.corpus = corpus

    def word_pieces(self, lowercase=True):
        trained = BertWordPieceTokenizer(lowercase=lowercase)
        trained.train_from_iterator(self.corpus, VOCABULARY, special_tokens=BERT, show_progress=False)
        trained.save_model(str(self.scratch), "bert")
        return str(self.scratch / "bert-vocab.txt")

    def byte_pairs(self, special, prefix_space=False):
        trained = ByteLevelBPETokenizer(add_prefix_space=prefix_space)
        trained.train_from_iterator(self.corpus, VOCABULARY, special_tokens=special, show_progress=False)
        trained.save_model(str(self.scratch), "bytes")
        return {"vocab_file": str(self.scratch / "bytes-vocab.json"), "merges_file": str(self.scratch / "bytes-merges.txt")}

    def pieces(self, kind="unigram", **settings):
        prefix = str(self.scratch / kind)
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(self.corpus), model_prefix=prefix, vocab_size=VOCABULARY, model_type=kind, minloglevel=2,
            hard_vocab_limit=False, character_coverage=0.99, num_threads=1, **settings,
        )  # fmt: skip
        return f"{prefix}.model"

    # Encoders.

    def bert(self):
        tokenizer = t.BertTokenizerFast(self.word_pieces(), do_lower_case=True, model_max_length=512)
        return t.BertModel(t.BertConfig(vocab_size=len(tokenizer), **SIZE)), tokenizer

    def cased_bert(self):
        tokenizer = t.BertTokenizerFast(self.word_pieces(lowercase=False), do_lower_case=False, model_max_length=512)
        return t.BertModel(t.BertConfig(vocab_size=len(tokenizer), **SIZE)), tokenizer

    def distilbert(self):
        tokenizer = t.DistilBertTokenizerFast(self.word_pieces(), model_max_length=512)
        config = t.DistilBertConfig(vocab_size=len(tokenizer), dim=128, n_layers=4, n_heads=4, hidden_dim=256)
        return t.DistilBertModel(config), tokenizer

    def electra(self):
        tokenizer = t.ElectraTokenizerFast(self.word_pieces(), model_max_length=512)
        return t.ElectraModel(t.ElectraConfig(vocab_size=len(tokenizer), embedding_size=64, **SIZE)), tokenizer

    def mpnet(self):
        words = Path(self.word_pieces()).read_text().split("\n")[:-1]
        # MPNet's vocabulary begins with RoBERTa's names and has BERT's words after them.
        vocabulary = self.scratch / "mpnet-vocab.txt"
        vocabulary.write_text("\n".join(["<s>", "<pad>", "</s>", "<unk>", *words, "<mask>"]) + "\n")
        tokenizer = t.MPNetTokenizerFast(str(vocabulary), model_max_length=512)
        config = t.MPNetConfig(vocab_size=len(tokenizer), max_position_embeddings=514, **SIZE)
        return t.MPNetModel(config), tokenizer

    def roberta(self):
        tokenizer = t.RobertaTokenizerFast(**self.byte_pairs(ROBERTA), model_max_length=512)
        config = t.RobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=514, type_vocab_size=1, **SIZE)
        return t.RobertaModel(config), tokenizer

    def xlm_roberta(self):
        # What fairseq puts first comes from the class.
        tokenizer = t.XLMRobertaTokenizerFast(self.pieces(normalization_rule_name="nmt_nfkc"), model_max_length=512)
        config = t.XLMRobertaConfig(
            vocab_size=len(tokenizer), max_position_embeddings=514, type_vocab_size=1, pad_token_id=1, bos_token_id=0, eos_token_id=2, **SIZE
        )
        return t.XLMRobertaModel(config), tokenizer

    def camembert(self):
        tokenizer = t.CamembertTokenizerFast(self.pieces(normalization_rule_name="nmt_nfkc"), model_max_length=512)
        config = t.CamembertConfig(
            vocab_size=len(tokenizer), max_position_embeddings=514, type_vocab_size=1, pad_token_id=1, bos_token_id=5, eos_token_id=6, **SIZE
        )
        return t.CamembertModel(config), tokenizer

    def albert(self):
        file = self.pieces(
            normalization_rule_name="nmt_nfkc", pad_id=0, unk_id=1, bos_id=-1, eos_id=-1, control_symbols="[CLS],[SEP],[MASK]"
        )
        tokenizer = t.AlbertTokenizerFast(file, unk_token="<unk>", pad_token="<pad>", model_max_length=512)
        config = t.AlbertConfig(vocab_size=len(tokenizer), embedding_size=64, **SIZE)
        return t.AlbertModel(config), tokenizer

    def modernbert(self):
        tokenizer = Tokenizer(BPE())
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = BpeTrainer(
            vocab_size=VOCABULARY, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), special_tokens=["[UNK]"], show_progress=False
        )
        tokenizer.train_from_iterator(self.corpus, trainer)
        # ModernBERT has a token for each run of spaces.
        tokenizer.add_tokens([AddedToken(" " * count, normalized=True) for count in range(24, 1, -1)])
        tokenizer.add_special_tokens(["[CLS]", "[SEP]", "[PAD]", AddedToken("[MASK]", lstrip=True)])
        ids = {name: tokenizer.token_to_id(name) for name in ("[CLS]", "[SEP]", "[PAD]")}
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[(name, ids[name]) for name in ("[CLS]", "[SEP]")]
        )
        fast = t.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", pad_token="[PAD]", mask_token="[MASK]",
            model_max_length=8192, model_input_names=["input_ids", "attention_mask"],
        )  # fmt: skip
        config = t.ModernBertConfig(
            vocab_size=len(fast), pad_token_id=ids["[PAD]"], cls_token_id=ids["[CLS]"], sep_token_id=ids["[SEP]"], bos_token_id=ids["[CLS]"],
            eos_token_id=ids["[SEP]"], local_attention=32, reference_compile=False, attn_implementation="eager", **SIZE,
        )  # fmt: skip
        return t.ModernBertModel(config), fast

    # Language models, with the last token's vector.

    def qwen3(self):
        special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
        tokenizer = t.Qwen2TokenizerFast(**self.byte_pairs(special), model_max_length=32768, padding_side="left")
        end = tokenizer.convert_tokens_to_ids("<|endoftext|>")
        tokenizer.backend_tokenizer.post_processor = processors.Sequence([
            processors.ByteLevel(trim_offsets=False),
            processors.TemplateProcessing(single="$A <|endoftext|>", pair="$A $B:1 <|endoftext|>", special_tokens=[("<|endoftext|>", end)]),
        ])  # fmt: skip
        config = t.Qwen3Config(
            vocab_size=len(tokenizer), num_key_value_heads=2, head_dim=32, max_position_embeddings=2048, bos_token_id=end, eos_token_id=end,
            tie_word_embeddings=True, attn_implementation="eager", **SIZE,
        )  # fmt: skip
        return t.Qwen3Model(config), tokenizer

    def gemma3(self):
        file = self.pieces(
            "bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False,
            pad_id=0, eos_id=1, bos_id=2, unk_id=3,
        )  # fmt: skip
        tokenizer = t.GemmaTokenizerFast(file, add_bos_token=True, add_eos_token=True, model_max_length=2048)
        config = t.Gemma3TextConfig(
            # Version 5 of transformers adds tokens to it.
            vocab_size=len(tokenizer) + 16, num_key_value_heads=1, head_dim=32, query_pre_attn_scalar=32, max_position_embeddings=2048,
            sliding_window=64, sliding_window_pattern=2, use_bidirectional_attention=True, attn_implementation="eager", **SIZE,
        )  # fmt: skip
        return t.Gemma3TextModel(config), tokenizer

    def llama(self):
        file = self.pieces("bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False)
        tokenizer = t.LlamaTokenizerFast(file, legacy=True, add_eos_token=True, model_max_length=1024, padding_side="left")
        tokenizer.pad_token = "</s>"
        config = t.MistralConfig(
            vocab_size=len(tokenizer), num_key_value_heads=2, max_position_embeddings=2048, sliding_window=None, attn_implementation="eager", **SIZE
        )
        return t.MistralModel(config), tokenizer


def spread(model):
    """Gives the weights the variance at which every part of a model matters: as they begin, texts hardly differ."""
    for name, weights in model.named_parameters():
        if weights.dim() > 1:
            is_table = "embed" in name or name == "wte.weight"
            torch.nn.init.normal_(weights, std=1.0 if is_table else weights.shape[1] ** -0.5)
        elif name.endswith("bias"):
            torch.nn.init.normal_(weights, std=0.1)
    return model.eval()


def export(model: Path, task="feature-extraction"):
    """Adds onnx/model.onnx, as the hub's exports have it. The tokenizer of the model itself stays as it is."""
    with TemporaryDirectory() as folder:
        main_export(
            str(model), folder, task=task, library_name="transformers", framework="pt", device="cpu", do_validation=False
        )  # fmt: skip
        (model / "onnx").mkdir()
        shutil.move(Path(folder, "model.onnx"), model / "onnx" / "model.onnx")


def write(directory: Path, model, tokenizer, *, pooling, max_tokens, prompts=None, has_dense=False, has_graph=True):
    """Saves as sentence-transformers does, so the files about pooling and prompts are those of real repositories.

    Without a graph if Optimum doesn't know the family.
    """
    plain = directory / "plain"
    model.save_pretrained(plain)
    tokenizer.save_pretrained(plain)
    transformer = models.Transformer(str(plain), max_seq_length=max_tokens, model_args={"attn_implementation": "eager"})
    pooled = models.Pooling(transformer.get_word_embedding_dimension(), pooling_mode=pooling)
    width = pooled.get_sentence_embedding_dimension()
    dense = [models.Dense(width, 64)] if has_dense else []
    modules = [transformer, pooled, *dense, models.Normalize()]
    SentenceTransformer(modules=modules, prompts=prompts, device="cpu").save(str(directory / "model"), create_model_card=False)
    if has_graph:
        export(directory / "model")


E5 = {"query": "query: ", "document": "passage: "}
INSTRUCTION = {"query": "Instruct: Given a web search query, retrieve relevant passages\nQuery:", "document": ""}

# name → the maker, and what the files state.
ARCHITECTURES = {
    "bert-cls": ("bert", {"pooling": "cls", "max_tokens": 512}),
    "bert-cased-max": ("cased_bert", {"pooling": "max", "max_tokens": 128}),
    "distilbert-cls": ("distilbert", {"pooling": "cls", "max_tokens": 256}),
    "electra-mean": ("electra", {"pooling": "mean", "max_tokens": 256}),
    "mpnet-mean": ("mpnet", {"pooling": "mean", "max_tokens": 384}),
    "roberta-mean": ("roberta", {"pooling": "mean", "max_tokens": 512}),
    "xlm-roberta-mean": ("xlm_roberta", {"pooling": "mean", "max_tokens": 512, "prompts": E5}),
    "camembert-mean": ("camembert", {"pooling": "mean", "max_tokens": 512}),
    "albert-mean": ("albert", {"pooling": "mean", "max_tokens": 256}),
    "modernbert-cls": ("modernbert", {"pooling": "cls", "max_tokens": 1024}),
    "qwen3-last": ("qwen3", {"pooling": "lasttoken", "max_tokens": 512, "prompts": INSTRUCTION}),
    "gemma3-mean": ("gemma3", {"pooling": "mean", "max_tokens": 1024, "prompts": E5, "has_dense": True, "has_graph": False}),
    "mistral-last": ("llama", {"pooling": "lasttoken", "max_tokens": 512}),
    "bert-dense": ("bert", {"pooling": "mean", "max_tokens": 512, "has_dense": True}),
    "mistral-weighted": ("llama", {"pooling": "weightedmean", "max_tokens": 512}),
}
