"""Whether every comment is still at its field: an understanding of struct bodies that shares nothing with restruct's.

A field's comment is the one behind its `;` on the same line, else the one that stands directly above it. A comment
above a field that has one behind it is taken for the heading of a group, which stays where the group is. One that
stands far to the right of the fields belongs to the line before; one behind the opening brace, to the struct.
"""
import re

TOKEN = re.compile(r"/\*.*?\*/|//(?:\\\n|[^\n])*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*|\n|[{};]|[^/\"'{};\n]+|.",
                   re.S | re.M)


def tokens(text):
    return [match.group(0) for match in TOKEN.finditer(text)]


def is_comment(token):
    return token.startswith(("/*", "//"))


def is_directive(token):
    return token.lstrip(" \t").startswith("#")


def plain(text):
    return " ".join(text.split())


def bodies(text):
    """The outermost struct bodies of a file, each as its tokens."""
    found, head, body, depth = [], "", None, 0
    for token in tokens(text):
        if is_comment(token) or is_directive(token):
            if body is not None:
                body.append(token)
        elif token == "{":
            depth += 1
            if depth == 1 and re.search(r"\b(struct|union)\b[^()=]*$", head):
                body = []
            elif body is not None:
                body.append(token)
        elif token == "}":
            depth = max(depth - 1, 0)
            if depth == 0 and body is not None:
                found.append(body)
                body = None
            elif body is not None:
                body.append(token)
            head = ""
        elif body is not None:
            body.append(token)
        else:
            head = "" if token == ";" else head + token
    return found


def unordered(declaration):
    """Of a struct inside: the same whatever the order of its own fields."""
    return " ".join(sorted(re.split(r"(?<=[;{}]) ?", declaration))) if "{" in declaration else declaration


def without_headline(body):
    """The tokens without comments that end the line of the opening brace."""
    first = next((i for i, token in enumerate(body) if plain(token) and not is_comment(token) or token == "\n"), 0)
    return body[first:] if body[first:first + 1] == ["\n"] else body


def fields(body):
    """[(declaration without comments, the comment of the field)] in the order of the text."""
    found, code, above, inside, depth = [], "", [], [], 0
    blank = ""  # what stands between the last newline and the token
    lines, behind = 0, False  # newlines since the last declaration or comment; on the line of a `;`
    for token in without_headline(body):
        if is_directive(token):
            above, behind = [], False
        elif is_comment(token):
            if behind or (found and not plain(code) and lines == 1 and len(blank.expandtabs()) > 20):
                found[-1][1].append(plain(token))
            elif plain(code):
                inside.append(plain(token))
            else:
                above = above + [plain(token)] if lines < 2 else [plain(token)]
            lines = 0
        elif token == "\n":
            blank = ""
            lines, behind = lines + 1, False
            code += " "
        elif token == ";" and depth == 0:
            own = inside or (above if lines < 2 else [])
            found.append([plain(code), [], own])
            code, above, inside, behind, lines = "", [], [], True, 0
        else:
            depth += {"{": 1, "}": -1}.get(token, 0)
            if not plain(code) and plain(token) and lines > 1:
                above = []
            code += token
            blank = blank + token if not plain(token) else ""
            if plain(token):
                behind = False
                lines = 0
    return [(unordered(declaration), tuple(sorted(trailing + own) if "{" in declaration else trailing or own))
            for declaration, trailing, own in found]


def differences(before, after):
    """The fields whose comment is another one, of all structs of a file; None when the structs do not match."""
    old, new = bodies(before), bodies(after)
    if len(old) != len(new):
        return None
    lost = []
    for a, b in zip(old, new):
        first, second = sorted(fields(a)), sorted(fields(b))
        if first != second:
            lost += [pair for pair in first if pair[1] and pair not in second]
    return lost
