"""Equations: a small part of LaTeX in, Office math markup out.

Known: frac, sqrt, sum with limits, text, _{..}, ^{..}, round brackets, and the symbols below.
"""

import re
from xml.sax.saxutils import escape

SYMBOLS = {
    "cdot": "\u22c5", "times": "\u00d7", "le": "\u2264", "ge": "\u2265", "alpha": "\u03b1",
    "beta": "\u03b2", "gamma": "\u03b3", "delta": "\u03b4", "eta": "\u03b7", "log": "log",
    "min": "min", "max": "max", "lfloor": "\u230a", "rfloor": "\u230b", "bmod": " mod ",
    "infty": "\u221e", "in": "\u2208", "approx": "\u2248", "lambda": "\u03bb", "pi": "\u03c0",
}
TOKEN = re.compile(r"\\([a-zA-Z]+)|([{}_^()])|([^\\{}_^()\s]+)|(\s+)")


def inline(latex):
    """An `m:oMath` element."""
    tokens = [m.group(0) for m in TOKEN.finditer(latex) if m.group(0).strip()]
    return f"<m:oMath>{Parser(tokens).sequence(None)}</m:oMath>"


def text_run(text):
    return f'<m:r><m:t xml:space="preserve">{escape(text)}</m:t></m:r>'


def element(name, xml):
    return f"<m:{name}>{xml}</m:{name}>"


class Parser:
    """Reads tokens from the left; each method returns markup."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def sequence(self, end):
        out = []
        while self.peek() is not None and self.peek() != end:
            out.append(self.scripted())
        if end is not None:
            self.take()
        return "".join(out)

    def group(self):
        if self.peek() == "{":
            self.take()
            return self.sequence("}")
        return self.atom()

    def scripted(self):
        if self.peek() == "\\sum":
            self.take()
            return self.sum()
        base = self.atom()
        sub, sup = self.scripts()
        if sub and sup:
            inner = element("e", base) + element("sub", sub) + element("sup", sup)
            return element("sSubSup", inner)
        if sub:
            return element("sSub", element("e", base) + element("sub", sub))
        if sup:
            return element("sSup", element("e", base) + element("sup", sup))
        return base

    def scripts(self):
        sub = sup = ""
        while self.peek() in ("_", "^"):
            if self.take() == "_":
                sub = self.group()
            else:
                sup = self.group()
        return sub, sup

    def sum(self):
        sub, sup = self.scripts()
        properties = '<m:naryPr><m:chr m:val="\u2211"/></m:naryPr>'
        body = element("e", self.scripted())
        return element("nary", properties + element("sub", sub) + element("sup", sup) + body)

    def atom(self):
        token = self.take()
        if token == "\\frac":
            return element("f", element("num", self.group()) + element("den", self.group()))
        if token == "\\sqrt":
            return element("rad", '<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>'
                           + element("e", self.group()))
        if token == "\\text":
            return self.group()
        if token == "(":
            return element("d", element("e", self.sequence(")")))
        if token == "{":
            return self.sequence("}")
        if token.startswith("\\"):
            return text_run(SYMBOLS[token[1:]])
        return text_run(token)
