"""The small pieces of a request: quoted text, lists of paths, numbers. Knows no verb."""

from __future__ import annotations

import re
from typing import Final

QUOTED: Final = re.compile(
    r"```[^\n`]*\n(?P<fence>.*?)\n?```"
    r"|`(?P<tick>[^`\n]+)`"
    r'|"(?P<double>(?:[^"\\\n]|\\.)*)"'
    r"|“(?P<curly>[^”]*)”|「(?P<corner>[^」]*)」|『(?P<white>[^』]*)』|‘(?P<single>[^’]*)’"
    r"|(?<![^\s(,，、:：=])'(?P<plain>[^'\n]*)'(?![^\s),，、.。:：;；!?])",
    re.DOTALL,
)
BLOCK: Final = re.compile(
    r"(?P<head>(?:write|create|make|save|写|创建|新建|保存)[^\n]*[:：])[ \t\r]*\n(?P<content>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""Everything below a line like "write F:" is content, whatever it says."""
FIRST_MASK: Final = 0xF0000
"""Quoted text stands in a request as one character of a private area, from here on."""
MASK: Final = "\U000f0000-\U000ffffd"

_AND = "(?:以及|还有|和|与|跟|同|及)"
_ASCII = rf"A-Za-z0-9_{MASK}"
CONJUNCTION: Final = re.compile(
    r"(?<!\S)(?:and|with|to|against|versus|vs\.?|or|from|than|&|\+)(?!\S)"
    rf"|(?<=\s){_AND}(?=[\s./~{_ASCII}])"
    rf"|(?<=[{_ASCII}]){_AND}(?=[\s./~{_ASCII}])"
    + "".join(rf"|(?<=\.[A-Za-z0-9]{{{length}}}){_AND}" for length in range(1, 6)),
    re.IGNORECASE,
)
"""Between the items of a list. A Chinese one is only taken where it cannot be part of a name."""

BEFORE: Final = re.compile(
    r"(?:(?:the|these|those|this|that|all|both|two|three|four|my|of|me|between|following|files?"
    r"|contents?(?=\s+of)|an?(?=\s+file))\s+)+|(?:(?:这|那)?(?:两|三|几|些)?个?文件)\s*[:：]?\s*",
    re.IGNORECASE,
)
"""Words before a list that name nothing in it."""
AFTER: Final = re.compile(
    r"(?:\s+(?:please|carefully|now|too|again|together|thoroughly|files?|as\s+well|line\s+by\s+line|for\s+me"
    r"|(?:with|to|against|from)\s+each\s+other|for\s+(?:any\s+)?differences|side\s+by\s+side)"
    r"|\s*(?:这|那)(?:两|三|几|些)个?文件|\s+文件|\s*的(?:内容|区别|不同|差别|差异)|吧|\s*一下)+$",
    re.IGNORECASE,
)
"""Words behind a list that name nothing in it."""
REMARK: Final = re.compile(
    r"(?<=\S)(?:(?:\s*[,;.!]|\s+(?:and|then|to|so|but))+\s+|\s+)"
    r"(?:tell|explain|summari[sz]e|describe|say|give|let|check|review|analy[sz]e|show|report|help|fix|suggest"
    r"|comment|count|think|which|how|why|what|whether|if|because)(?=$|\s|[,.!?]+(?:\s|$)).*"
    r"|(?<=\S)\s*(?:[，；。,;]|并且|并|然后|接着|再|\s)+\s*"
    r"(?:里面?|中)?(?:告诉|解释|总结|概括|说说|分析|检查|评价|介绍|帮我|给我|把|将|写了|写的|讲了|讲的|是什么|有什么)(?!\S*\.\w).*",
    re.IGNORECASE | re.DOTALL,
)
"""What a person goes on to say behind a list: it names no file, and no rule knows it for a request."""
NUMBERS: Final = {
    **{str(n): n for n in range(1, 101)},
    **{word: n for n, word in enumerate(("one", "two", "three", "four", "five", "six", "seven"), 1)},
    **{character: n for n, character in enumerate("一二三四五六七八九十", 1)},
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "两": 2,
    "once": 1,
    "twice": 2,
    "thrice": 3,
}


class Masked:
    """A request whose quoted parts are one character each, so that rules do not look inside."""

    def __init__(self, text: str) -> None:
        self._inner: dict[str, str] = {}
        self._outer: dict[str, str] = {}
        self._next = FIRST_MASK
        plain = re.sub(f"[{MASK}]", "\ufffd", text).strip()
        self.text = BLOCK.sub(self._mask_rest, QUOTED.sub(self._mask, plain), count=1)

    def _mask_rest(self, match: re.Match[str]) -> str:
        if self._outer.get(match["content"][0], "").startswith("```"):
            return match[0]  # the fence says where the content ends
        mark = chr(self._next)
        self._next += 1
        self._inner[mark] = self._outer[mark] = self.written(match["content"])
        return f"{match['head']} {mark}"

    def _mask(self, match: re.Match[str]) -> str:
        mark = chr(self._next)
        self._next += 1
        kind = match.lastgroup or ""
        inner = match[kind]
        self._inner[mark] = re.sub(r'\\(["\\])', r"\1", inner) if kind == "double" else inner
        self._outer[mark] = match[0]
        return mark

    def value(self, text: str) -> str:
        """Return text as meant: what stands in the quotes if it is one quoted part, else as written."""
        text = text.strip()
        return self._inner[text] if text in self._inner else self.written(text)

    def written(self, text: str) -> str:
        """Return text as the user wrote it, quotes included."""
        return "".join(self._outer.get(character, character) for character in text)

    def text_inside(self, text: str) -> str:
        """Return the text, opened if it is one quoted part."""
        return self._inner.get(text.strip(), text)

    def paths(self, text: str) -> list[str]:
        """Return the paths that a list names: by blanks, commas, conjunctions; quotes protect all of them."""
        text = REMARK.sub("", text.strip()).rstrip(",，、;；:：!！?？。")
        text = AFTER.sub("", re.sub(r"(?<=\S)(?<!\.)\.$", "", text))
        lead = BEFORE.match(text)
        text = text[lead.end() :] if lead and lead.end() < len(text) else text
        words = re.split(r"[\s,，、;；]+", CONJUNCTION.sub(" ", f" {text} "))
        found = []
        for word in words:
            trimmed = word.lstrip("@:：").rstrip(".,:;!?。：！？")
            kept = trimmed or word.strip(",:;!?。：！？，")
            if kept and kept.lower() not in ("the", "file"):
                found.append(self.value(kept))
        return found

    def has(self, text: str) -> bool:
        """Whether some quoted part says exactly this."""
        return text in self._inner.values()

    def surely_path(self, word: str) -> bool:
        """Whether one of `paths` was quoted, or is more than a plain lower-case English word."""
        return self.has(word) or not re.fullmatch(r"[a-z]+", word)

    def quoted(self, text: str) -> bool:
        """Whether the text is exactly one quoted part."""
        return text.strip() in self._inner
