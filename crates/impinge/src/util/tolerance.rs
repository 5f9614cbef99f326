//! Every number that is neither exact nor obvious: its meaning, its unit and its reason.

/// Unit roundoff of `f64`: the largest relative error of one operation rounded to nearest, 2^-53.
pub const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

/// Relative error of the float determinant in `orient3d`, per unit of its permanent. (7 + 56u)u is Shewchuk's
/// bound A for this order of operations; 8u leaves room for the rounding of the bound itself.
pub const ORIENT3D_FILTER: f64 = 8.0 * UNIT_ROUNDOFF;

/// The same for `orient2d`: (3 + 16u)u, rounded up to 4u.
pub const ORIENT2D_FILTER: f64 = 4.0 * UNIT_ROUNDOFF;

/// What underflow can take from a product, 2^-1075, enlarged so that sums of a few dozen are covered, and on to
/// 2^-1000, well above the subnormal numbers: arithmetic with those is a hundred times slower.
pub const UNDERFLOW_FILTER: f64 = f64::from_bits((1023 - 1000) << 52);

/// Coordinates below this (and not zero) may make an error term of the adaptive predicates underflow: the last
/// bit of a coordinate >= m is >= m 2^-52, and so is that of a difference; the product of three is at least
/// (m 2^-52)^3, which is a double as long as m >= 2^-306. 2^-300.
pub const MIN_ADAPTIVE_COORDINATE: f64 = f64::from_bits((1023 - 300) << 52);

/// Coordinates above this may overflow the adaptive predicates: a sum of six products of three differences is
/// below 6 (2m)^3, a double as long as m <= 2^339. 2^300.
pub const MAX_ADAPTIVE_COORDINATE: f64 = f64::from_bits((1023 + 300) << 52);

/// Unit roundoff of `f32`, 2^-24.
pub const FLOAT_ROUNDOFF: f32 = f32::EPSILON / 2.0;

/// What underflow can take from a product of floats, 2^-150, enlarged so that sums of dozens are covered, and on to
/// 2^-120, well above the subnormal numbers: arithmetic with those is a hundred times slower.
pub const TINY: f32 = f32::from_bits((127 - 120) << 23);

/// Error of the float determinant of a plane test: 49 by the argument in `contacts::bvh::filters`, and room
/// for the rounding of the bound itself.
pub const PLANE_FILTER: f32 = 52.0;

/// Error of the float determinant of an edge test: 168 by the same argument, and room.
pub const EDGE_FILTER: f32 = 176.0;

/// Error of the float determinant of three points in a plane, in roundoffs: 9 by the argument in `contacts::bvh::flat`, and room
/// for the rounding of the bound itself.
pub const PLANAR_FILTER: f32 = 12.0;

/// Error of the float determinant of a vertex star, in roundoffs: 42 by the argument in
/// `bvh::stars::certify`, and room for the rounding of the bound itself.
pub const STAR_FILTER: f32 = 46.0;

/// Largest difference between the identity and the product of a pose and its computed inverse for boxes to be
/// compared in body frames; beyond it, boxes are compared in the world. Keeps the slack of boxes far below
/// their size.
pub const LARGEST_RHO: f64 = 1e-9;

/// Error of the float determinant of two neighbours, in roundoffs: 48 by the argument in
/// `bvh::stars::neighbours`, and room for the rounding of the bound itself.
pub const NEIGHBOUR_FILTER: f32 = 52.0;

/// Part of the depth of an image left free at either end, so that rounding takes no surface out of it. 2^-8.
pub const DEPTH_MARGIN: f64 = 1.0 / 256.0;

/// Least size of an image, as a part of the size of the bodies in it: a float of a body's coordinate, 2^-24 of its size,
/// is then a small part of a pixel of any image. 2^-10.
pub const MIN_VIEW_OF_BODIES: f64 = 1.0 / 1024.0;

/// Least size of an image, as a part of the largest coordinate, so that bodies without any size have an image too. 2^-40.
pub const MIN_VIEW_OF_COORDINATES: f64 = 1.0 / (1u64 << 40) as f64;

/// Least distance of an eye from the bodies, relative to their depth: the resolutions of depth at the near and
/// at the far end then differ by a factor of at most 9^2. 2^-3.
pub const MIN_EYE_DISTANCE: f64 = 1.0 / 8.0;

/// Rasterisers snap vertices to a grid of at least 256 points per pixel: the error of a vertex, and so of an
/// edge, is half of that across and down. In pixels, with the diagonal rounded up: 2^-8.
pub const SNAPPING: f64 = 1.0 / 256.0;

/// Error of a depth between 0 and 1: rounded to 24 bits when it is stored, and after interpolation in floats. Four steps
/// of 2^-24.
pub const DEPTH_ERROR: f64 = 4.0 / (1u32 << 24) as f64;

/// One over the cosine of the largest angle between a vertex normal and that of a triangle there for which the vertex is
/// moved far enough to leave the triangle behind: 82.8 degrees; the corner of a cube has 54.7.
pub const MAX_CORNER_SECANT: f64 = 8.0;

/// Error of a vertex in pixels, for each pixel of the sum of the terms of its coordinate: four products of
/// floats and their sum, and the rounding of the factors. Rectangles are compared with this slack, so that
/// triangles that touch at their borders are not separated by it. 2^-20, sixteen roundoffs.
pub const SCREEN_SLACK: f32 = 1.0 / (1u32 << 20) as f32;

/// Sine of the angle below which a face counts as seen edge-on: at 2.9 degrees, it covers one pixel in twenty
/// of those it would cover from the front. A sphere has a twentieth of its area there.
pub const EDGE_ON: f64 = 0.05;

/// Part of the area of a body that may be seen edge-on: three times what a sphere has.
pub const MAX_EDGE_ON_AREA: f64 = 0.15;

/// Errors of two boxes, of the poses that put them there and of a few products, as a part of the largest coordinate:
/// dozens of roundoffs of 2^-53. 2^-44.
pub const BOX_SLACK: f64 = 1.0 / (1u64 << 44) as f64;

/// A collision volume is refined again if one of its sides shrank below this part.
pub const SHRINKS: f64 = 0.95;

/// Scenes whose largest number is smaller are not cut into cells: parts of it would be subnormal numbers,
/// whose errors are not relative. 2^-900.
pub const MIN_SCENE_MAGNITUDE: f64 = f64::from_bits((1023 - 900) << 52);

/// Cells that bodies may reach along an axis, at most: the error of floats, 2^-19 of that, is an eighth of a
/// cell then. A volume that would have smaller cells is treated as part of a larger one. 2^16.
pub const MAX_REACH_CELLS: f64 = 65_536.0;

/// Ratio of coordinates to sizes of bodies, at most, before cells become larger too: the errors of doubles,
/// 2^-50 of coordinates, are then a small part of a cell.
pub const FAR_AWAY: f64 = 1e6;

/// Widening of surfaces, in cells, up to which the centre of a pixel is certainly within it: half of the way
/// to its border.
pub const MAX_SURE_WIDENING: f32 = 0.25;

/// A side or a plane with a larger slope leaves all depths: keeps quotients finite. Shaders have the same.
pub const MAX_SLOPE: f32 = 1e6;

/// So does one with a smaller divisor, in cells: keeps reciprocals finite. Shaders have the same.
pub const MIN_DIVISOR: f32 = 1e-30;

/// Ratio of the true error of a vertex placed by floats to the roundings that `contacts::grid::region`
/// counts, at most: second-order errors, and the rounding of the count itself.
pub const PLACING_ROOM: f32 = 1.125;

/// Growth of the box of a triangle on every side, in errors of its body; and in roundoffs of the coordinate:
/// by the argument in `contacts::grid::triangle_filter`. Shaders have the same.
pub const BOX_ERRORS: f32 = 1.5;

/// See [`BOX_ERRORS`].
pub const BOX_ROUNDOFFS: f32 = 8.0;

/// Least error of a placed vertex: covers underflow many times over. 2^-100.
pub const MIN_PLACED_ERROR: f32 = f32::from_bits((127 - 100) << 23);

/// Error of a determinant of three differences, in 2^-23: 9 by the argument in `contacts::grid::bounds`, and
/// room for the rounding of the bound itself. Shaders have the same.
pub const DETERMINANT_FILTER: f32 = 16.0;

/// Underflow of such a determinant, for coordinates up to 2^39: six products of which one factor may have
/// been lost, 2^-126 of at most 2^40. 2^-80, with room. Shaders have the same.
pub const LOST_BELOW: f32 = f32::from_bits((127 - 80) << 23);

/// Body pairs share a region if the smaller body of each is at least this part of the largest such: floats of
/// the region then resolve the triangles of all of them. 2^-8.
pub const OF_ONE_SIZE: f64 = 1.0 / 256.0;

/// Largest coordinate of a placed vertex: no product of three differences overflows below it. 2^38.
pub const MAX_PLACED_COORDINATE: f32 = (1u64 << 38) as f32;

/// Largest error of a placed vertex. 2^18.
pub const MAX_PLACED_ERROR: f32 = (1u32 << 18) as f32;

/// The error assigned to the vertices of a body that floats of a region cannot place: above all coordinates
/// up to [`MAX_PLACED_COORDINATE`] with their errors. 2^40. Shaders have the same.
pub const VAST_ERROR: f32 = (1u64 << 40) as f32;

/// Triangles of such a body, at most: every one of them is tested against everything. A body with more is
/// placed as well as floats can.
pub const MAX_VAST_TRIANGLES: u32 = 64;

/// Products of four differences are only used where the differences are below this: their sums stay below
/// 2^125 then. Larger ones come from regions that are hardly more than a point. 2^30. Shaders have the same.
pub const MAX_QUARTIC_DIFFERENCE: f32 = (1u32 << 30) as f32;

/// Least size of the region where contacts can be, relative to the largest number on the way to world
/// coordinates: rows that take bodies there stay below [`MAX_PLACED_ERROR`]. 2^-36.
pub const MIN_REGION_SIZE: f64 = 1.0 / (1u64 << 36) as f64;

/// Growth of boxes of triangles on every side, in errors of a corner: by the argument in
/// `contacts::cullide::offsets`.
pub const OFFSET_ERRORS: f64 = 16.0;

/// The same times the error of a box's corner for each pixel of the longest edge of its triangle: 64 roundoffs. 2^-14. Shaders
/// have the same.
pub const OFFSET_SIZE: f32 = 1.0 / (1u32 << 14) as f32;

/// Error of a world coordinate, as it is defined and as it is projected in doubles, as a part of the largest number on the way:
/// eight roundoffs. 2^-50.
pub const OFFSET_ROUNDING: f64 = 8.0 * UNIT_ROUNDOFF;

/// Error of a polynomial of a particle's path at an extremum, as a part of the sum of its terms' sizes: 15 roundoffs in the
/// coefficients and the evaluation, doubled. Nearer to zero than this, a path grazes. 2^-48.
pub const GRAZING: f64 = 32.0 * UNIT_ROUNDOFF;

/// Error of a place in a collider's frame, as a part of the sum of the sizes it was made from: a dozen roundoffs in the pose and
/// the path, and what rounded the numbers that were given. Nearer to a border than this, a place is on it, so that nothing slips
/// between two surfaces that share one. 2^-48.
pub const BORDER_ERROR: f64 = 32.0 * UNIT_ROUNDOFF;

/// How far from a surface the path of a particle goes on after a bounce, as a part of the largest coordinate: many times what
/// places and signs are wrong by, and 1e-13 of the scene. 2^-43.
pub const CONTACT_OFFSET: f64 = 1.0 / (1u64 << 43) as f64;

/// Hops lower than so many [`CONTACT_OFFSET`]s are rest, even for a particle that loses no speed.
pub const RESTING_OFFSETS: f64 = 16.0;

/// Part of the pull to a surface that may act along it before a particle at rest starts to slide. 2^-20.
pub const UNMOVED: f64 = 1.0 / (1u64 << 20) as f64;

/// A speed along the normal below this part of the speed has no certain sign: what rounding makes of a path that grazes. 2^-44.
pub const STEADY: f64 = 1.0 / (1u64 << 44) as f64;

/// Error of a place on a path or of a collider's box, as a part of the largest number on the way: hundreds of roundoffs. 2^-40.
pub const PLACE_ERROR: f64 = 1.0 / (1u64 << 40) as f64;

/// Least determinant of a pose, as a part of the product of its rows' lengths, for its inverse to mean something. 2^-40.
pub const MIN_POSE_DETERMINANT: f64 = 1.0 / (1u64 << 40) as f64;

/// Eigenvalues of a quadric smaller than this part of the largest count as zero. 2^-44.
pub const MIN_EIGENVALUE: f64 = 1.0 / (1u64 << 44) as f64;
