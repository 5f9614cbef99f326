//! Real models: all are read, with the number of triangles that they are known to have.

use impinge_io::load_mesh_file;
use std::path::PathBuf;

fn data() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("IMPINGE_DATA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no {}; set IMPINGE_DATA to the folder of real models", folder.display());
    None
}

#[test]
fn every_model_has_its_triangles() {
    let Some(data) = data() else { return };
    for (file, vertices, triangles) in [
        ("meshes/cow.obj", 2903, 5804),
        ("meshes/fandisk.obj", 6475, 12946),
        ("meshes/fcl-env.obj", 6540, 2180),
        ("meshes/fcl-rob.obj", 648, 216),
        ("meshes/homer.obj", 6002, 12000),
        ("meshes/horse.ply", 48485, 96966),
        ("meshes/nefertiti.obj", 49971, 99938),
        ("meshes/ogre.obj", 62194, 124008),
        ("meshes/rocker-arm.obj", 10044, 20088),
        ("meshes/spot.obj", 2930, 5856),
        ("meshes/stanford-bunny.obj", 35947, 69451),
        ("meshes/suzanne.obj", 507, 968),
        ("meshes/teapot.obj", 3644, 6320),
        ("ccd/scenes/cloth-ball/frames/cloth_ball92.ply", 46598, 92230),
        ("ccd/scenes/cloth-ball/frames/cloth_ball93.ply", 46598, 92230),
        ("ccd/scenes/armadillo-rollers/frames/326.ply", 12135, 24242),
        ("ccd/scenes/armadillo-rollers/frames/327.ply", 12135, 24242),
    ] {
        let bodies = load_mesh_file(&data.join(file)).unwrap();
        assert_eq!(bodies.len(), 1, "{file}");
        let mesh = &bodies[0].mesh;
        assert_eq!((mesh.positions().len(), mesh.triangles().len()), (vertices, triangles), "{file}");
    }
}
