//! Points and poses from other crates and back, to the last bit; what is not finite is refused.

use impinge::contacts::PeelOptions;
use impinge::{
    BodyId, Collider, Contact, Containment, Element, Mesh, MeshError, Method, Options, Pose, PoseError,
    Positions, Scene,
};

/// No two entries alike, none a round number, some with bits that single precision does not have.
const ROWS: [[f64; 4]; 3] =
    [[0.1, -0.2, 1.0 / 3.0, 1e-300], [0.4, 0.5, -0.6, 1e200], [0.7, -0.8, 0.9, -std::f64::consts::PI]];

const LAST: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// One triangle, with a third in single precision and one in double.
const F32: [[f32; 3]; 3] = [[0.0, 1.0 / 3.0, 0.1], [1.0, -2.5e-20, 0.2], [0.0, 1.0, 3e38]];
const F64: [[f64; 3]; 3] = [[0.0, 1.0 / 3.0, 0.1], [1.0, -2.5e-200, 0.2], [0.0, 1.0, 3e300]];

fn pose() -> Pose {
    Pose::from_rows(ROWS).unwrap()
}

fn is_refused(made: Result<Pose, PoseError>, row: usize, column: usize) {
    let Err(PoseError::NotFinite { row: r, column: c, value }) = made else { panic!("{made:?}") };
    assert_eq!((r, c), (row, column));
    assert!(!value.is_finite());
}

fn is_not_affine(made: Result<Pose, PoseError>) {
    assert!(matches!(made, Err(PoseError::NotAffine { .. })), "{made:?}");
}

/// A list that has become positions has the bits of the arrays that it was made from.
fn same(single: impl Into<Positions>, double: impl Into<Positions>) {
    assert_eq!(single.into(), Positions::from(F32.to_vec()));
    assert_eq!(double.into(), Positions::from(F64.to_vec()));
}

fn nan_is_refused(positions: impl Into<Positions>) {
    let error = Mesh::new(positions, vec![[0, 1, 2]]).unwrap_err();
    assert!(matches!(error, MeshError::NotFinite { vertex: 1, axis: 2, .. }), "{error:?}");
}

mod with_glam {
    use super::*;
    use glam::{Affine3A, DAffine3, DMat4, DQuat, DVec3, Mat4, Quat, Vec3, Vec3A};

    #[test]
    fn poses_go_there_and_back() {
        let there = DAffine3::from(pose());
        assert_eq!(Pose::try_from(there).unwrap(), pose());
        assert_eq!((there.translation.y, there.matrix3.z_axis.x), (ROWS[1][3], ROWS[0][2]));
        assert_eq!(Pose::try_from(DMat4::from(pose())).unwrap(), pose());
    }

    #[test]
    fn maps_move_points_to_where_they_do() {
        let turn =
            DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.7), DVec3::new(1.0, 2.0, 3.0));
        let point = [0.3, -0.4, 5.0];
        let [here, there] =
            [Pose::try_from(turn).unwrap().apply(point), turn.transform_point3(point.into()).into()];
        assert!((0..3).all(|axis| (here[axis] - there[axis]).abs() < 1e-15), "{here:?} {there:?}");
    }

    #[test]
    fn single_precision_is_widened() {
        let turn = Affine3A::from_rotation_translation(Quat::from_rotation_z(0.3), Vec3::new(0.1, 0.2, 0.3));
        let pose = Pose::try_from(turn).unwrap();
        assert_eq!(pose.rows()[0], [turn.x_axis.x, turn.y_axis.x, turn.z_axis.x, 0.1].map(f64::from));
        assert_eq!(Pose::try_from(Mat4::from(turn)).unwrap(), pose);
    }

    #[test]
    fn what_is_not_finite_or_not_affine_is_refused() {
        let mut map = DAffine3::IDENTITY;
        map.matrix3.y_axis.z = f64::NAN;
        is_refused(map.try_into(), 2, 1);
        let far = Affine3A::from_translation(Vec3::new(0.0, f32::INFINITY, 0.0));
        is_refused(far.try_into(), 1, 3);
        is_not_affine(DMat4::from_translation(DVec3::X).transpose().try_into());
        is_not_affine(Mat4::ZERO.try_into());
    }

    #[test]
    fn lists_become_positions() {
        same(F32.map(Vec3::from).to_vec(), F64.map(DVec3::from).to_vec());
        same(F32.map(Vec3A::from).to_vec(), F64.map(DVec3::from).to_vec());
        nan_is_refused(vec![Vec3::ZERO, Vec3::new(0.0, 0.0, f32::NAN), Vec3::X]);
    }
}

mod with_nalgebra {
    use super::*;
    use nalgebra::{Affine3, Isometry3, Matrix3x4, Matrix4, Point3, Similarity3, Vector3};

    #[test]
    fn poses_go_there_and_back() {
        let there = Matrix3x4::from(pose());
        assert_eq!(Pose::try_from(there).unwrap(), pose());
        assert_eq!((there[(1, 3)], there[(0, 2)]), (ROWS[1][3], ROWS[0][2]));
        assert_eq!(Pose::try_from(Matrix4::from(pose())).unwrap(), pose());
        assert_eq!(Pose::try_from(Affine3::from(pose())).unwrap(), pose());
    }

    #[test]
    fn maps_move_points_to_where_they_do() {
        let rigid = Isometry3::new(Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.1, -0.7, 0.2));
        let scaled = Similarity3::from_isometry(rigid, 2.5);
        let point = [0.3, -0.4, 5.0];
        let near = |pose: Pose, there: Point3<f64>| {
            let here = pose.apply(point);
            assert!((0..3).all(|axis| (here[axis] - there[axis]).abs() < 1e-14), "{here:?} {there:?}");
        };
        near(rigid.try_into().unwrap(), rigid * Point3::from(point));
        near(scaled.try_into().unwrap(), scaled * Point3::from(point));
    }

    #[test]
    fn single_precision_is_widened() {
        let rigid = Isometry3::new(Vector3::new(0.1f32, 0.2, 0.3), Vector3::new(0.4, 0.0, 0.0));
        let pose = Pose::try_from(rigid).unwrap();
        let matrix = rigid.to_homogeneous();
        assert_eq!(pose.rows()[1], [0, 1, 2, 3].map(|column| f64::from(matrix[(1, column)])));
    }

    #[test]
    fn what_is_not_finite_or_not_affine_is_refused() {
        is_refused(Isometry3::translation(0.0, f64::NAN, 0.0).try_into(), 1, 3);
        is_refused(
            Matrix3x4::from_fn(|r, c| if (r, c) == (2, 0) { f32::INFINITY } else { 0.5 }).try_into(),
            2,
            0,
        );
        is_not_affine(Matrix4::<f64>::zeros().try_into());
        is_not_affine(Affine3::from_matrix_unchecked(Matrix4::repeat(1.0)).try_into());
    }

    #[test]
    fn lists_become_positions() {
        same(F32.map(Point3::from).to_vec(), F64.map(Point3::from).to_vec());
        same(F32.map(Vector3::from).to_vec(), F64.map(Vector3::from).to_vec());
        nan_is_refused(vec![Point3::origin(), Point3::new(0.0, 0.0, f64::NAN), Point3::origin()]);
    }
}

mod with_mint {
    use super::*;
    use mint::{ColumnMatrix3x4, ColumnMatrix4, Point3, RowMatrix3x4, RowMatrix4, Vector3};

    #[test]
    fn poses_go_there_and_back() {
        let there = RowMatrix3x4::from(pose());
        assert_eq!((there.y.w, there.x.z), (ROWS[1][3], ROWS[0][2]));
        assert_eq!(Pose::try_from(there).unwrap(), pose());
        assert_eq!(Pose::try_from(ColumnMatrix3x4::from(pose())).unwrap(), pose());
        assert_eq!(Pose::try_from(RowMatrix4::from(pose())).unwrap(), pose());
        let there = ColumnMatrix4::from(pose());
        assert_eq!((there.w.y, there.w.w), (ROWS[1][3], 1.0));
        assert_eq!(Pose::try_from(there).unwrap(), pose());
    }

    #[test]
    fn single_precision_is_widened() {
        let rows = [[0.1f32, 0.2, 0.3, 0.4], [0.0; 4], [0.0; 4]];
        assert_eq!(
            Pose::try_from(RowMatrix3x4::from(rows)).unwrap().rows(),
            &rows.map(|row| row.map(f64::from))
        );
    }

    #[test]
    fn what_is_not_finite_or_not_affine_is_refused() {
        let mut rows = ROWS;
        rows[2][1] = f64::NAN;
        is_refused(RowMatrix3x4::from(rows).try_into(), 2, 1);
        is_refused(
            ColumnMatrix3x4::from([[0.0f32; 3], [0.0; 3], [0.0, 0.0, f32::INFINITY], [0.0; 3]]).try_into(),
            2,
            2,
        );
        let [x, y, z] = ROWS;
        is_not_affine(ColumnMatrix4::from([x, y, z, LAST]).try_into());
        is_not_affine(RowMatrix4::from([x, y, z, z]).try_into());
    }

    #[test]
    fn lists_become_positions() {
        same(F32.map(Point3::from).to_vec(), F64.map(Point3::from).to_vec());
        same(F32.map(Vector3::from).to_vec(), F64.map(Vector3::from).to_vec());
        nan_is_refused(vec![
            Point3::from([0.0; 3]),
            Point3::from([0.0, 0.0, f32::NAN]),
            Point3::from([0.0; 3]),
        ]);
    }
}

mod with_serde {
    use super::*;
    use serde::{Serialize, de::DeserializeOwned};

    /// Through text, and back.
    fn again<T: Serialize + DeserializeOwned>(value: &T) -> T {
        let json = serde_json::to_string(value).unwrap();
        serde_json::from_str(&json).unwrap()
    }

    /// TOML has words for what is not finite.
    fn error<T: DeserializeOwned>(text: &str) -> String {
        toml::from_str::<T>(text).map(|_| ()).unwrap_err().message().to_owned()
    }

    #[test]
    fn poses_and_meshes_are_what_they_were() {
        assert_eq!(again(&pose()), pose());
        assert_eq!(
            serde_json::to_string(&Pose::IDENTITY).unwrap(),
            "[[1.0,0.0,0.0,0.0],[0.0,1.0,0.0,0.0],[0.0,0.0,1.0,0.0]]"
        );
        for positions in [Positions::from(F32.to_vec()), Positions::from(F64.to_vec())] {
            let mesh = Mesh::new(positions, vec![[0, 1, 2], [2, 1, 0]]).unwrap();
            let read = again(&mesh);
            assert_eq!((read.positions(), read.triangles()), (mesh.positions(), mesh.triangles()));
            assert_eq!(read.magnitude(), mesh.magnitude());
        }
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let pose = "pose = [[1, 0, 0, 0], [0, nan, 0, 0], [0, 0, 1, 0]]";
        let told = error::<std::collections::BTreeMap<String, Pose>>(pose);
        assert_eq!(told, "pose has the entry NaN in row 1, column 1; entries must be finite");
        let mesh = "triangles = [[0, 0, 0]]\npositions.F64 = [[0, inf, 0]]";
        assert_eq!(error::<Mesh>(mesh), "vertex 0 has y = inf; coordinates must be finite");
        let mesh = "triangles = [[0, 0, 1]]\npositions.F32 = [[0, 0, 0]]";
        assert_eq!(error::<Mesh>(mesh), "triangle 0 refers to vertex 1, but there are 1 vertices");
    }

    #[test]
    fn a_report_is_stored_with_all_it_holds() {
        let triangle =
            |z| Mesh::new(vec![[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, -z]], vec![[0, 1, 2]]).unwrap();
        let mut scene = Scene::new();
        scene.add("a", triangle(0.5));
        scene.add("b", triangle(-0.5));
        let options =
            Options { method: Method::DepthPeel(PeelOptions::default()), shapes: true, ..Options::default() };
        let mut collider = Collider::new(options);
        let report = collider.collide(&scene).unwrap();
        let json = serde_json::to_value(report).unwrap();
        assert_eq!(json["method"]["DepthPeel"]["direction"], "Auto");
        assert_eq!(json["complete"], false);
        assert_eq!(json["contacts"], serde_json::to_value(&report.contacts).unwrap());
        assert_eq!(json["pairs"][0]["contacts"], serde_json::json!({ "start": 0, "end": 1 }));
        assert_eq!(json["shapes"][0]["points"].as_array().unwrap().len(), report.shapes[0].points().len());
        assert_eq!(json["stages"]["triangles"], 2);
        assert_eq!(json["stats"]["Rays"]["resolution"], serde_json::json!([1024, 1024]));
    }

    #[test]
    fn ids_contacts_and_containments_name_the_same_bodies() {
        let mesh = || Mesh::new(F64.to_vec(), vec![[0, 1, 2]]).unwrap();
        let mut scene = Scene::new();
        let gone = scene.add("gone", mesh());
        scene.remove(gone).unwrap();
        let [a, b]: [BodyId; 2] = ["a", "b"].map(|name| scene.add(name, mesh()));
        assert_eq!([again(&a), again(&b)], [a, b]);
        assert!(scene.body(again(&gone)).is_none());
        let element = |body| Element { body, triangle: 7 };
        let contact = Contact { a: element(a), b: element(b) };
        assert_eq!(again(&contact), contact);
        let containment = Containment { inner: a, outer: b };
        assert_eq!(again(&containment), containment);
    }
}
