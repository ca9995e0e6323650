"""The SPDX list of a release: what is compiled into its programs, with versions, licences and sources."""
import datetime
import pathlib
import subprocess
import sys

import yaml

PARTS = yaml.safe_load((pathlib.Path(__file__).parent / "compiled-in.yaml").read_text())


def version_of(package):
    """Returns the version of the installed Debian package, from which the builds have taken the part."""
    done = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"release: the Debian package {package} is not installed")
    return done.stdout


def identifier(name):
    return "SPDXRef-" + "".join(c if c.isalnum() else "-" for c in name)


def package(name, version, row):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "supplier": "NOASSERTION", "downloadLocation": row.get("source", "NOASSERTION"),
        "filesAnalyzed": False, "licenseConcluded": row["licence"], "licenseDeclared": row["licence"], "copyrightText": "NOASSERTION",
        **({"comment": row["comment"]} if "comment" in row else {}),
    }


def document(version, time):
    programs = {f"flexslice-{name}": parts for name, parts in PARTS["programs"].items()}
    own = {"licence": "Apache-2.0"}
    packages = [package(name, version, own) for name in programs]
    packages += [package(name, version_of(row["debian"]), row) for name, row in PARTS["parts"].items()]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", identifier(name)) for name in programs]
    relations += [(identifier(name), "STATIC_LINK", identifier(part)) for name, parts in programs.items() for part in parts]
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"flexslice-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/flexslice-{version}-{time}",
        "creationInfo": {"created": created, "creators": ["Tool: flexslice-release"]}, "packages": packages,
        "relationships": [{"spdxElementId": a, "relationshipType": how, "relatedSpdxElement": b} for a, how, b in relations],
    }
