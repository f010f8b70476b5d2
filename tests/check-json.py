#!/usr/bin/env python3
"""Checks JSON results against docs/result.schema.json, and what a schema cannot say: that positions, offsets,
names and ids agree with each other, and that the edits apply to exactly the hashed bytes.

  check-json.py [--root DIR] [FILE ...]     files, or standard input; paths in them are relative to DIR
  check-json.py --producer PROGRAM          PROGRAM writes results and their sources into the folder it is given

Without --root, files that are not there are not looked into. With --producer the checker is tested too: damaged
copies of the results must be found faulty."""

import argparse
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
SCHEMA = os.path.join(HERE, "..", "docs", "result.schema.json")


def fnv1a64(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return "fnv1a64:%016x" % value


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("duplicate key among %s" % keys)
    return dict(pairs)


def no_constant(name):
    raise ValueError("%s is not JSON" % name)


def load(text):
    return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)


def position(data, byte):
    start = data.rfind(b"\n", 0, byte) + 1
    return {"line": data.count(b"\n", 0, byte) + 1, "column": byte - start + 1}


class Checker:
    def __init__(self, root, must_exist):
        with open(SCHEMA, encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)
        self.root, self.must_exist = root, must_exist

    def check(self, result):
        self.faults = []
        for error in self.validator.iter_errors(result):
            self.fault("/".join(map(str, error.absolute_path)), error.message)
        if not self.faults:
            self.files = self.read_files(result)
            for number, struct in enumerate(result["structs"]):
                self.check_struct(result, struct, "structs/%d (%s)" % (number, struct["name"]))
        return self.faults

    def fault(self, where, message):
        self.faults.append("%s: %s" % (where, message))

    def expect(self, condition, where, message):
        if not condition:
            self.fault(where, message)

    def read_files(self, result):
        contents = {}
        for file in result["files"]:
            self.expect(file["path"] not in contents, "files", "%s stands twice" % file["path"])
            contents[file["path"]] = None
            path = os.path.join(self.root, file["path"])
            if not self.must_exist and not os.path.exists(path):
                continue
            try:
                with open(path, "rb") as stream:
                    data = stream.read()
            except OSError as error:
                self.fault("files", str(error))
                continue
            self.expect(fnv1a64(data) == file["hash"], "files", "%s has other bytes than were hashed" % file["path"])
            contents[file["path"]] = data
        return contents

    def check_struct(self, result, struct, where):
        self.expect(struct["file"] in self.files, where, "file is not among files")
        self.check_range(struct, where)
        self.check_fields(struct, result["target"]["line_bytes"], where)
        self.check_holes(struct, where)
        self.check_sharing(struct, where)
        self.check_profile(struct, where)
        ids = [plan["id"] for plan in struct["plans"]]
        self.expect(len(ids) == len(set(ids)), where, "plan ids repeat")
        self.expect(struct["pick"] is None or struct["pick"] in ids, where, "pick is no plan's id")
        for plan in struct["plans"]:
            self.check_plan(struct, plan, result["target"]["line_bytes"], "%s plan %d" % (where, plan["id"]))

    def check_range(self, struct, where):
        data = self.files.get(struct["file"])
        start, end = struct["range"]["start"], struct["range"]["end"]
        self.expect(start["byte"] < end["byte"], where, "range is empty")
        if data is None:
            return
        self.expect(end["byte"] <= len(data), where, "range ends behind the file")
        macro = any(pin["code"] == "macro-braces" for pin in struct["pins"])
        brace = data[end["byte"] - 1 : end["byte"]] == b"}"
        self.expect(brace or macro, where, "range does not end in a brace")
        for place in (start, end):
            at = {key: place[key] for key in ("line", "column")}
            self.expect(position(data, place["byte"]) == at, where, "position %s is not byte's" % place)

    def check_lines(self, layout, fields, line_bytes, where):
        """Every line follows from offset and one place of the object in its first line."""
        low, high = 0, line_bytes - 1
        for field in fields:
            byte = field["offset_bits"] // 8
            low = max(low, field["line"] * line_bytes - byte)
            high = min(high, (field["line"] + 1) * line_bytes - 1 - byte)
        size = layout["size_bytes"]
        if size:
            low = max(low, (layout["lines"] - 1) * line_bytes - size + 1)
            high = min(high, layout["lines"] * line_bytes - size)
        self.expect(low <= high, where, "lines do not follow from offsets")

    def check_fields(self, struct, line_bytes, where):
        names = [field["name"] for field in struct["fields"]]
        self.expect(len(names) == len(set(names)), where, "field names repeat")
        for field in struct["fields"]:
            end = field["offset_bits"] + field["size_bits"]
            self.expect(end <= struct["size_bytes"] * 8, where, "%s ends behind the struct" % field["name"])
        self.check_lines(struct, struct["fields"], line_bytes, where)
        self.check_inside({f["name"]: f["offset_bits"] for f in struct["fields"]}, struct, where)
        self.expect(struct["size_bytes"] % struct["align_bytes"] == 0, where, "size is no multiple of alignment")

    def check_inside(self, offsets, struct, where):
        sizes = {field["name"]: field["size_bits"] for field in struct["fields"]}
        for name, offset in offsets.items():
            outer = name.rpartition(".")[0]
            if outer in offsets and sizes.get(outer):
                inside = offsets[outer] <= offset and offset + sizes[name] <= offsets[outer] + sizes[outer]
                self.expect(inside, where, "%s lies outside %s" % (name, outer))

    def check_holes(self, struct, where):
        end = 0
        for hole in struct["holes"]:
            self.expect(hole["offset_bytes"] >= end, where, "holes overlap or are not sorted")
            end = hole["offset_bytes"] + hole["size_bytes"]
        self.expect(end <= struct["size_bytes"], where, "a hole ends behind the struct")
        starts = [(h["offset_bytes"] * 8, (h["offset_bytes"] + h["size_bytes"]) * 8) for h in struct["holes"]]
        for field in struct["fields"]:
            first, last = field["offset_bits"], field["offset_bits"] + field["size_bits"]
            if any(first < hole_end and hole_start < last for hole_start, hole_end in starts):
                self.fault(where, "%s lies in a hole" % field["name"])

    def check_sharing(self, struct, where):
        names = {field["name"] for field in struct["fields"]}
        containers = tuple(container["name"] + "." for container in struct.get("containers", []))
        lines = [shared["line"] for shared in struct["sharing"]]
        self.expect(lines == sorted(set(lines)), where, "sharing is not by rising line")
        for shared in struct["sharing"]:
            self.expect(shared["line"] < struct["lines"], where, "sharing names a line the struct has not")
            for name in shared["writers"] + shared["victims"]:
                self.expect(name in names or name.startswith(containers), where,
                            "sharing names %s, which is no field" % name)

    def check_profile(self, struct, where):
        known = struct["cost_ns"] is not None
        for field in struct["fields"]:
            for key in ("reads", "writes", "kind"):
                self.expect((field[key] is not None) == known, where, "%s of %s" % (key, field["name"]))
        self.expect(known or struct["lower_bound_ns"] is None, where, "a bound without a cost")
        self.expect(known or not struct["sharing"], where, "sharing without a profile")
        for plan in struct["plans"]:
            self.expect((plan["cost_ns"] is not None) == known, where, "cost of plan %d" % plan["id"])
            bound = struct["lower_bound_ns"]
            if known and bound is not None:
                self.expect(plan["cost_ns"] >= bound * (1 - 1e-9), where, "plan %d beats the bound" % plan["id"])

    def check_plan(self, struct, plan, line_bytes, where):
        lifted = {operation["name"] for operation in plan["operations"] if operation["kind"] == "lift"}
        names = [field["name"] for field in plan["fields"] if re.split("[.[]", field["name"])[0] not in lifted]
        for name in lifted:
            self.expect(name in {field["name"] for field in plan["fields"]}, where, "%s is lifted, but not there" % name)
        self.expect(sorted(names) == sorted(f["name"] for f in struct["fields"]), where, "fields are not the struct's")
        sizes = {field["name"]: field["size_bits"] for field in struct["fields"]}
        for field in plan["fields"]:
            end = field["offset_bits"] + sizes.get(field["name"], 0)
            self.expect(end <= plan["size_bytes"] * 8, where, "%s ends behind the struct" % field["name"])
        top = [field["offset_bits"] for field in plan["fields"] if "." not in field["name"]]
        same = {f["name"]: f["offset_bits"] for f in struct["fields"]}
        if not self.has_anonymous(same, sizes):
            self.expect(top == sorted(top), where, "fields are not in the order of the layout")
        self.check_inside({f["name"]: f["offset_bits"] for f in plan["fields"]}, struct, where)
        self.check_lines(plan, [], line_bytes, where)
        self.expect(plan["operations"] or not plan["edits"], where, "edits without operations")
        self.check_edits(plan, where)

    @staticmethod
    def has_anonymous(offsets, sizes):
        """Members of anonymous unions share bytes and so have no order."""
        top = sorted((offsets[name], sizes[name]) for name in offsets if "." not in name)
        return any(first[0] + first[1] > second[0] for first, second in zip(top, top[1:]))

    def check_edits(self, plan, where):
        ends = {}
        for edit in plan["edits"]:
            self.expect(edit["file"] in self.files, where, "an edit's file is not among files")
            self.expect(edit["byte_start"] <= edit["byte_end"], where, "an edit ends before it starts")
            self.expect(edit["byte_start"] >= ends.get(edit["file"], 0), where, "edits overlap or are not sorted")
            ends[edit["file"]] = edit["byte_end"]
            data = self.files.get(edit["file"])
            if data is None:
                continue
            self.expect(edit["byte_end"] <= len(data), where, "an edit ends behind the file")
            for key in ("start", "end"):
                at = position(data, edit["byte_" + key])
                self.expect(at == edit[key], where, "%s of an edit is %s, its byte is at %s" % (key, edit[key], at))
        writes = {"lift", "align", "pad", "comment"} & {operation["kind"] for operation in plan["operations"]}
        if not self.faults and not writes:
            self.check_applied(plan, where)

    def check_applied(self, plan, where):
        """A plan moves text: no byte may be lost or made, but for blanks and designators of initialisers."""
        for path in {edit["file"] for edit in plan["edits"]}:
            data = self.files[path]
            if data is None:
                continue
            parts, at = [], 0
            for edit in (edit for edit in plan["edits"] if edit["file"] == path and not is_designator(edit)):
                parts += [data[at : edit["byte_start"]], edit["text"].encode()]
                at = edit["byte_end"]
            edited = b"".join(parts + [data[at:]])
            self.expect(edited != data or any(map(is_designator, plan["edits"])), where, "the edits change nothing")
            self.expect(
                sorted(b"".join(edited.split())) == sorted(b"".join(data.split())), where, "the edits lose or make text"
            )


def is_designator(edit):
    return edit["byte_start"] == edit["byte_end"] and re.fullmatch(r"\.\w+ = ", edit["text"]) is not None


def damage(result):
    """Copies of a result, each with one fault: (what, copy)."""

    def copy_with(what, change):
        broken = copy.deepcopy(result)
        try:
            change(broken)
        except (IndexError, KeyError, TypeError):
            return
        cases.append((what, broken))

    cases = []
    struct = lambda r: r["structs"][0]
    plan = lambda r: struct(r)["plans"][0]
    edit = lambda r: plan(r)["edits"][0]
    copy_with("unknown key", lambda r: r.update(extra=1))
    copy_with("unknown key in a field", lambda r: struct(r)["fields"][0].update(extra=1))
    copy_with("missing key", lambda r: struct(r).pop("holes"))
    copy_with("hash of other bytes", lambda r: r["files"][0].update(hash="fnv1a64:" + "0" * 16))
    copy_with("line of a field", lambda r: struct(r)["fields"][0].update(line=7))
    copy_with("field behind the end", lambda r: struct(r)["fields"][-1].update(offset_bits=1 << 20))
    copy_with("column of the range", lambda r: struct(r)["range"]["start"].update(column=40))
    copy_with("pick", lambda r: struct(r).update(pick=99))
    copy_with("field missing from a plan", lambda r: plan(r)["fields"].pop())
    copy_with("edit's position", lambda r: edit(r)["start"].update(line=1))
    copy_with("edit behind the end", lambda r: plan(r)["edits"][-1].update(byte_end=1 << 20))
    copy_with("edit that loses text", lambda r: plan(r)["edits"][-1].update(text=""))
    copy_with("edits in the wrong order", lambda r: plan(r)["edits"].insert(0, plan(r)["edits"].pop(1)))
    copy_with("negative time", lambda r: struct(r)["sharing"][0].update(false_ns=-1))
    copy_with("strength", lambda r: struct(r)["pins"][0].update(strength="soft"))
    copy_with("NaN as a string", lambda r: struct(r).update(cost_ns="NaN"))
    return cases


def check_text(checker, name, text):
    try:
        faults = checker.check(load(text))
    except (ValueError, UnicodeDecodeError) as error:
        faults = [str(error)]
    for fault in faults:
        print("%s: %s" % (name, fault), file=sys.stderr)
    return not faults


def check_producer(program):
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.dirname(HERE)
        run = subprocess.run([program, folder], stdout=subprocess.DEVNULL, env={**os.environ, "RS_SOURCE_ROOT": root})
        checker = Checker(folder, True)
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        good, missed, damaged = run.returncode == 0 and bool(names), 0, 0
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                text = file.read().decode()
            good &= check_text(checker, name, text)
            for what, broken in damage(load(text)):
                damaged += 1
                if not checker.check(broken):
                    print("%s: not noticed: %s" % (name, what), file=sys.stderr)
                    missed += 1
        print("%d results checked, %d damaged copies noticed" % (len(names), damaged - missed))
        return good and missed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", help="folder that paths are relative to; its files must be there")
    parser.add_argument("--producer", help="program that writes results into the folder given to it")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.producer:
        return 0 if check_producer(options.producer) else 1
    checker, good = Checker(options.root or ".", options.root is not None), True
    for name in options.files or ["-"]:
        if name == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:
                data = file.read()
        try:
            good &= check_text(checker, name, data.decode())
        except UnicodeDecodeError as error:
            print("%s: %s" % (name, error), file=sys.stderr)
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
