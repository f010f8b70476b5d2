"""What the formats of findings require, for outputs of `check` and `review`."""


def check_keys(value, required, allowed=()):
    assert set(required) <= set(value) <= set(required) | set(allowed), "%s: wanted %s" % (sorted(value), sorted(required))


def check_sarif(log):
    """What SARIF 2.1.0 requires of the objects that are used, and which keys they may have."""
    check_keys(log, ("version", "runs", "$schema"))
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    run = log["runs"][0]
    check_keys(run, ("tool", "results"), ("originalUriBaseIds", "columnKind"))
    check_keys(run["tool"], ("driver",))
    check_keys(run["tool"]["driver"], ("name", "version", "rules"), ("informationUri",))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules)), "rules are unique"
    for result in run["results"]:
        check_keys(result, ("ruleId", "level", "message", "locations", "partialFingerprints"), ("ruleIndex",))
        assert result["ruleId"] in rules and result["level"] in ("none", "note", "warning", "error")
        assert isinstance(result["message"]["text"], str) and result["message"]["text"]
        assert all(isinstance(v, str) for v in result["partialFingerprints"].values())
        for location in result["locations"]:
            check_keys(location, ("physicalLocation",), ("logicalLocations",))
            place = location["physicalLocation"]
            check_keys(place, ("artifactLocation",), ("region",))
            assert " " not in place["artifactLocation"]["uri"] and "\\" not in place["artifactLocation"]["uri"]
            assert place.get("region", {"startLine": 1})["startLine"] >= 1
            assert all(l["kind"] in ("member", "type") for l in location.get("logicalLocations", ()))


def check_rdjson(result):
    """The same of reviewdog's DiagnosticResult."""
    check_keys(result, ("source", "diagnostics"), ("severity",))
    check_keys(result["source"], ("name",), ("url",))
    for diagnostic in result["diagnostics"]:
        check_keys(diagnostic, ("message", "location", "severity", "code"))
        assert diagnostic["severity"] in ("INFO", "WARNING", "ERROR") and diagnostic["message"]
        check_keys(diagnostic["location"], ("path",), ("range",))
        assert diagnostic["location"]["path"], "reviewdog drops what has no file"
        if "range" in diagnostic["location"]:
            assert diagnostic["location"]["range"]["start"]["line"] >= 1
        check_keys(diagnostic["code"], ("value",), ("url",))
