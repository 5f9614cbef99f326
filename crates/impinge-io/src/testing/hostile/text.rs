//! Hostile text: OBJ, ascii STL, OFF.

use super::Case;

fn cases(extension: &'static str, table: &[(&'static str, &str, &'static str)]) -> Vec<Case> {
    table
        .iter()
        .map(|&(name, text, expected)| (name, extension, text.as_bytes().to_vec(), expected))
        .collect()
}

pub(super) fn obj() -> Vec<Case> {
    const V3: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let mut cases = cases(
        "obj",
        &[
            ("empty", "", "whole file: no triangles"),
            ("only-comments", "# nothing\n# here\n", "whole file: no triangles"),
            ("prose", "Dear reader,\nthis is a letter.\n", "line 1 is no statement of OBJ: 'Dear'"),
            ("points-only", V3, "whole file: no triangles"),
            ("vertex-of-two", "v 0 0\nf 1 1 1\n", "line 1: the file ends inside a vertex"),
            ("vertex-of-words", "v 0 0 0\nv one two three\n", "line 2: expected a coordinate, found 'one'"),
            ("decimal-comma", "v 0,5 0 0\n", "line 1: expected a coordinate, found '0,5'"),
            ("nan", "v 0 nan 0\nf 1 1 1\n", "line 1: coordinate y is NaN"),
            ("infinite", "v 0 0 -inf\nf 1 1 1\n", "line 1: coordinate z is -inf"),
            ("overflow", "v 1e400 0 0\nf 1 1 1\n", "line 1: coordinate x is inf"),
            ("index-zero", "v 0 0 0\nf 0 1 1\n", "line 2: refers to vertex 0, but there are 1"),
            ("index-high", "v 0 0 0\n\nf 1 1 2\n", "line 3: refers to vertex 2, but there are 1"),
            ("index-low", "v 0 0 0\nf -1 -1 -2\nv 0 0 0\n", "line 2: refers to vertex -2, but there are 1"),
            ("index-2-to-32", "v 0 0 0\nf 1 1 4294967297\n", "line 2: refers to vertex 4294967297"),
            ("index-2-to-64", "v 0 0 0\nf 1 1 18446744073709551617\n", "line 2: expected a vertex number"),
            (
                "index-most-negative",
                "v 0 0 0\nf 1 1 -9223372036854775808\n",
                "line 2: refers to vertex -9223",
            ),
            ("index-fraction", "v 0 0 0\nf 1 1 1.5\n", "line 2: expected a vertex number such as"),
            ("index-missing", "v 0 0 0\nf /1/1 1 1\n", "line 2: expected a vertex number such as"),
            ("face-empty", "v 0 0 0\nf\n", "line 2: a face has 0 corners"),
            ("face-of-two", "v 0 0 0\nf 1 1\n", "line 2: a face has 2 corners"),
            ("face-cut-by-comment", "v 0 0 0\nf 1 1 # 1\n", "line 2: a face has 2 corners"),
            ("continued-to-the-end", "v 0 0 0\nf 1 1 \\", "line 2: a face has 2 corners"),
            (
                "escape-sequences",
                "v \u{1b}[31m\u{7} 0 0\n",
                "line 1: expected a coordinate, found '\\u{1b}[31m",
            ),
        ],
    );
    let zigzag: Vec<String> = (0..3000).map(|i| format!("v {i} {} 0\n", i % 2)).collect();
    let corners: Vec<String> = (1..=3000).map(|i| format!(" {i}")).collect();
    let large = format!("{}f{}\n", zigzag.concat(), corners.concat()).into_bytes();
    cases.push(("large-concave-polygon", "obj", large, "line 3001: a face with 3000 corners is not convex"));
    cases.push(("binary-junk", "obj", (0..=255).cycle().take(5000).collect(), "is no statement of OBJ"));
    let long_word = [b"v ".as_slice(), &vec![b'9'; 100_000], b"x 0 0\n"].concat();
    cases.push(("long-word", "obj", long_word, "line 1: expected a coordinate, found '999"));
    cases.push(("not-utf8", "obj", b"v \xff\xfe 0 0\n".to_vec(), "line 1: expected a coordinate"));
    cases
}

pub(super) fn stl() -> Vec<Case> {
    cases(
        "stl",
        &[
            ("solid-alone", "solid", "line 1: the file ends inside a solid"),
            ("no-facets", "solid a\nendsolid a\n", "whole file: no triangles"),
            ("no-end", "solid a\nfacet normal 0 0 1\nouter loop\n", "line 3: the file ends inside a facet"),
            (
                "facet-of-two",
                "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n",
                "line 6: expected 'vertex'; a facet has three, found 'endloop'",
            ),
            (
                "facet-of-four",
                "solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\nendloop\n",
                "line 7: expected 'endloop'; a facet has three vertices, found 'vertex'",
            ),
            (
                "coordinate-nan",
                "solid a\nfacet\nouter loop\nvertex 0 0 0\nvertex nan 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
                "line 5: coordinate x is NaN",
            ),
            (
                "coordinate-word",
                "solid a\nfacet\nouter loop\nvertex 0 zero 0\nvertex 1 0 0\n",
                "line 4: expected a coordinate, found 'zero'",
            ),
            (
                "not-a-facet",
                "solid a\nvertex 0 0 0\n",
                "line 2: expected 'facet' or 'endsolid', found 'vertex'",
            ),
            ("after-the-end", "solid a\nendsolid a\nfacet\n", "line 3: expected 'solid', found 'facet'"),
            (
                "no-loop",
                "solid a\nfacet normal 0 0 1\nvertex 0 0 0\n",
                "line 3: expected 'outer loop', found 'vertex'",
            ),
        ],
    )
}

pub(super) fn off() -> Vec<Case> {
    let mut cases = cases(
        "off",
        &[
            ("empty", "", "line 1: the file ends inside the header"),
            ("header-alone", "OFF\n", "the file ends inside the header"),
            ("not-off", "FOO\n3 1 0\n", "line 1: expected 'OFF', found 'FOO'"),
            ("binary", "OFF BINARY\n\0\0\0\u{3}", "line 1: binary OFF is not supported"),
            (
                "four-dimensions",
                "4OFF\n3 1 0\n0 0 0 0\n",
                "line 1: OFF with a number of dimensions other than 3",
            ),
            ("huge-vertex-count", "OFF\n4000000000 1 0\n0 0 0\n", "line 2: claims 4000000000 vertices"),
            ("huge-face-count", "OFF\n1 4000000000 0\n0 0 0\n3 0 0 0\n", "line 2: claims 4000000000 faces"),
            ("count-2-to-64", "OFF\n18446744073709551616 1 0\n", "line 2: expected a number of vertices"),
            (
                "count-max",
                "OFF\n18446744073709551615 18446744073709551615 0\n",
                "line 2: claims 18446744073709551615",
            ),
            ("negative-count", "OFF\n-3 1 0\n", "line 2: expected a number of vertices, found '-3'"),
            (
                "huge-polygon",
                "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4000000000 0 1\n",
                "line 6: claims 4000000000 corners",
            ),
            ("polygon-cut", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 # 2\n", "line 6: claims 3 corners"),
            (
                "index-high",
                "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
                "line 6: refers to vertex 3, but there are 3",
            ),
            ("index-negative", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "line 6: refers to vertex -1"),
            ("face-of-two", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1 1\n", "line 6: a face has 2 corners"),
            ("no-faces", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "whole file: no triangles"),
            (
                "faces-missing",
                "OFF\n2 2 0\n0.00 0 0\n1.00 0 0\n3 0 1 1     \n",
                "line 6: the file ends inside the faces",
            ),
            ("nan", "OFF\n1 1 0\n0 NaN 0\n3 0 0 0\n", "line 3: coordinate y is NaN"),
            ("vertex-of-two", "OFF\n1 1 0\n0 0\n3 0 0 0 0 0 0\n", "line 3: the file ends inside a vertex"),
        ],
    );
    cases.push((
        "not-utf8",
        "off",
        b"OFF\n1 1 0\n0 0 \xff\n3 0 0 0\n".to_vec(),
        "line 3: expected a coordinate",
    ));
    cases
}
