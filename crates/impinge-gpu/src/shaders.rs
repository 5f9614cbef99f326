//! The shaders, each with what it shares put before it.

macro_rules! shader {
    ($($file:literal),+) => {
        concat!($(include_str!(concat!("../shaders/", $file))),+)
    };
}

/// A stage of the conservative method that looks at the corners of records.
macro_rules! looking {
    ($($file:literal),+) => {
        shader!(
            "shared/cull.wgsl",
            "shared/record.wgsl",
            "shared/counts.wgsl",
            "shared/corners.wgsl",
            "shared/signs.wgsl",
            $($file),+
        )
    };
}

pub(crate) const INTAKE: &str = shader!("shared/frame.wgsl", "intake.wgsl");
pub(crate) const PROJECT: &str = shader!("shared/frame.wgsl", "project.wgsl");
pub(crate) const DEPTH_PEEL: &str = shader!("shared/frame.wgsl", "shared/layers.wgsl", "depth_peel.wgsl");
pub(crate) const RAYS: &str = shader!("shared/frame.wgsl", "shared/layers.wgsl", "rays.wgsl");
pub(crate) const RAY_MIPMAP: &str = shader!("shared/frame.wgsl", "shared/ray_box.wgsl", "ray_mipmap.wgsl");
pub(crate) const SEPARATE: &str = shader!("shared/frame.wgsl", "shared/ray_box.wgsl", "separate.wgsl");
pub(crate) const PACK: &str = shader!("shared/frame.wgsl", "pack.wgsl");
pub(crate) const DETAILS: &str = shader!("shared/frame.wgsl", "details.wgsl");
pub(crate) const EDGES: &str = shader!("shared/frame.wgsl", "shared/cast.wgsl", "edges.wgsl");
pub(crate) const RAY_CAST: &str = shader!("shared/frame.wgsl", "shared/cast.wgsl", "ray_cast.wgsl");
pub(crate) const MARKED: &str = shader!("shared/frame.wgsl", "shared/cast.wgsl", "marked.wgsl");
pub(crate) const PLACE: &str = shader!("shared/slices.wgsl", "place.wgsl");
pub(crate) const COVER: &str =
    shader!("shared/slices.wgsl", "shared/crossed.wgsl", "shared/stroke.wgsl", "cover.wgsl");
pub(crate) const SAMPLE: &str =
    shader!("shared/slices.wgsl", "shared/crossed.wgsl", "shared/stroke.wgsl", "sample.wgsl");
pub(crate) const FRAGMENTS: &str =
    shader!("shared/frame.wgsl", "shared/a_buffer.wgsl", "shared/crossed.wgsl", "fragments.wgsl");
pub(crate) const PAIRS: &str = shader!("shared/frame.wgsl", "shared/a_buffer.wgsl", "pairs.wgsl");
pub(crate) const OFFSETS: &str = shader!("offsets.wgsl");
pub(crate) const CULLIDE: &str = shader!("shared/frame.wgsl", "cullide.wgsl");
pub(crate) const PLANES: &str = shader!("shared/slices.wgsl", "planes.wgsl");
pub(crate) const PLACE_ALL: &str = shader!("shared/cull.wgsl", "place_all.wgsl");
pub(crate) const STARS: &str =
    shader!("shared/cull.wgsl", "shared/record.wgsl", "shared/signs.wgsl", "stars.wgsl");
pub(crate) const KEEP: &str =
    shader!("shared/cull.wgsl", "shared/record.wgsl", "shared/counts.wgsl", "shared/signs.wgsl", "keep.wgsl");
pub(crate) const GRID: &str =
    shader!("shared/cull.wgsl", "shared/record.wgsl", "shared/counts.wgsl", "grid.wgsl");
pub(crate) const BOX_PAIRS: &str = looking!("shared/item.wgsl", "shared/item_read.wgsl", "box_pairs.wgsl");
/// The same where the lanes of a workgroup are one subgroup.
pub(crate) const BOX_PAIRS_SHUFFLED: &str =
    looking!("shared/item.wgsl", "shared/item_shuffled.wgsl", "box_pairs.wgsl");
pub(crate) const GLANCE: &str = looking!("glance.wgsl");
pub(crate) const DECIDE: &str = looking!("decide.wgsl");
pub(crate) const PLACE_EXACTLY: &str = shader!("shared/doubles.wgsl", "place_exactly.wgsl");
pub(crate) const SETTLE: &str = shader!("shared/doubles.wgsl", "settle.wgsl");
pub(crate) const PARTICLES: &str = shader!(
    "shared/flight.wgsl",
    "shared/ticks.wgsl",
    "shared/rebirth.wgsl",
    "shared/roots.wgsl",
    "shared/curtain.wgsl",
    "shared/surfaces.wgsl",
    "particles.wgsl"
);
pub(crate) const IMPACT_MAP: &str = shader!("shared/flight.wgsl", "impact_map.wgsl");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{
        BodyEntry, CastEntry, CullEntry, Details, Found, Frame, Intake, LevelEntry, OffsetEntry, PartEntry,
        PartyEntry, PassEntry, PlotEntry, SettlingEntry, SheetEntry, SpanEntry, StandingEntry,
    };
    use crate::particles::entries::{
        ColliderEntry, FlightEntry, LegEntry, MapEntry, ParticleEntry, RecordEntry,
    };
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    use std::collections::BTreeSet;
    use std::mem::offset_of;

    const ALL: &[(&str, &str)] = &[
        ("intake", INTAKE),
        ("project", PROJECT),
        ("depth_peel", DEPTH_PEEL),
        ("rays", RAYS),
        ("ray_mipmap", RAY_MIPMAP),
        ("separate", SEPARATE),
        ("pack", PACK),
        ("details", DETAILS),
        ("edges", EDGES),
        ("ray_cast", RAY_CAST),
        ("marked", MARKED),
        ("place", PLACE),
        ("cover", COVER),
        ("sample", SAMPLE),
        ("planes", PLANES),
        ("place_all", PLACE_ALL),
        ("stars", STARS),
        ("keep", KEEP),
        ("grid", GRID),
        ("box_pairs", BOX_PAIRS),
        ("glance", GLANCE),
        ("decide", DECIDE),
        ("place_exactly", PLACE_EXACTLY),
        ("settle", SETTLE),
        ("fragments", FRAGMENTS),
        ("pairs", PAIRS),
        ("offsets", OFFSETS),
        ("cullide", CULLIDE),
        ("particles", PARTICLES),
        ("impact_map", IMPACT_MAP),
    ];

    /// Those that need more than every WebGPU device has, and what.
    const MORE: &[(&str, &str, Capabilities)] = &[("box_pairs", BOX_PAIRS_SHUFFLED, Capabilities::SUBGROUP)];

    #[test]
    fn every_shader_is_valid_and_every_file_is_used() {
        // What every WebGPU device has, and nothing more.
        let all = ALL.iter().map(|&(name, source)| (name, source, Capabilities::empty()));
        for (name, source, capabilities) in all.chain(MORE.iter().copied()) {
            let module = naga::front::wgsl::parse_str(source)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
            let mut validator = Validator::new(ValidationFlags::all(), capabilities);
            if capabilities.contains(Capabilities::SUBGROUP) {
                validator
                    .subgroup_stages(naga::valid::ShaderStages::COMPUTE)
                    .subgroup_operations(naga::valid::SubgroupOperationSet::all());
            }
            validator
                .validate(&module)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(source)));
            assert!(!module.entry_points.is_empty(), "{name}");
        }
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        let files: BTreeSet<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_file())
            .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(files, ALL.iter().map(|(name, _)| (*name).to_owned()).collect());
    }

    /// Size and offsets of a struct, as the shader has them.
    fn shape(source: &str, name: &str) -> (usize, Vec<usize>) {
        let module = naga::front::wgsl::parse_str(source).unwrap();
        let (_, found) = module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).unwrap();
        let naga::TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
        (*span as usize, members.iter().map(|member| member.offset as usize).collect())
    }

    #[test]
    fn structs_are_laid_out_alike_on_both_sides() {
        macro_rules! same {
            ($source:expr, $there:literal, $here:ident { $($field:ident),+ }) => {
                let here = (size_of::<$here>(), vec![$(offset_of!($here, $field)),+]);
                assert_eq!(shape($source, $there), here, $there);
            };
        }
        same!(
            PROJECT,
            "Frame",
            Frame {
                width,
                height,
                words,
                near,
                vertices,
                triangles,
                sides,
                passes,
                mark,
                margin,
                external_word,
                perspective
            }
        );
        same!(
            PROJECT,
            "Body",
            BodyEntry { across, down, along, away, flags, first_vertex, nearest, farthest }
        );
        same!(
            INTAKE,
            "Intake",
            Intake {
                body,
                vertices,
                triangles,
                first_vertex,
                first_triangle,
                first_tag,
                offset,
                stride,
                index_offset,
                count_offset,
                has_tags,
                tag_offset,
                place,
                padding_0,
                padding_1,
                padding_2
            }
        );
        same!(INTAKE, "Found", Found { low, high, bad_vertex, bad_triangle });
        same!(DETAILS, "Details", Details { corners, normal, vertices, tag });
        same!(SEPARATE, "Level", LevelEntry { first, width, height, padding });
        same!(RAYS, "Span", SpanEntry { first, end, first_base, second_base });
        same!(
            EDGES,
            "Cast",
            CastEntry {
                pixels_deep,
                clearance,
                nearest,
                farthest,
                first_line,
                lines,
                whose,
                first_row,
                end_row,
                capacity,
                padding_0,
                padding_1
            }
        );
        same!(
            COVER,
            "Plot",
            PlotEntry {
                across,
                down,
                along,
                wide,
                offset,
                cells,
                words,
                first_vertex,
                vertices,
                first_triangle,
                triangles,
                base,
                plane,
                flags,
                place
            }
        );
        same!(
            OFFSETS,
            "Offset",
            OffsetEntry { first, count, half, apart, deep, padding_0, padding_1, padding_2 }
        );
        same!(
            KEEP,
            "Cull",
            CullEntry {
                low,
                cell,
                high,
                most_cells,
                voxels_per_unit,
                meets,
                voxels,
                vertices,
                axis,
                triangles,
                part_low,
                part_high,
                boxes,
                records,
                list,
                chunks,
                tests,
                found,
                large,
                block_pairs,
                cells,
                candidates,
                is_part,
                first,
                last,
                padding
            }
        );
        same!(SETTLE, "Settling", SettlingEntry { count, turns, padding_0, padding_1 });
        same!(PLACE_EXACTLY, "Standing", StandingEntry { rows, source, padding });
        same!(KEEP, "Party", PartyEntry { across, down, along, low, error, high, flags });
        same!(
            FRAGMENTS,
            "Sheet",
            SheetEntry {
                width,
                first_row,
                end_row,
                triangles,
                capacity,
                slots,
                near,
                large,
                lanes,
                parts,
                padding_0,
                padding_1
            }
        );
        same!(PAIRS, "Part", PartEntry { columns, rows, depths, with_itself, padding });
        same!(DEPTH_PEEL, "Pass", PassEntry { number, base_before, base_after, padding });
        same!(
            PARTICLES,
            "Flight",
            FlightEntry {
                horizon,
                from_time,
                ticks_per_unit,
                units_per_tick,
                particles,
                colliders,
                capacity,
                most_events,
                hop,
                goes_on,
                position_spread,
                velocity_spread,
                seed,
                generations,
                turns,
                padding
            }
        );
        same!(
            PARTICLES,
            "Particle",
            ParticleEntry {
                position,
                start_low,
                velocity,
                start_high,
                acceleration,
                life_low,
                life_high,
                is_endless,
                padding_0,
                padding_1
            }
        );
        same!(
            PARTICLES,
            "Leg",
            LegEntry {
                position,
                start_low,
                velocity,
                start_high,
                generation,
                bounce,
                status,
                events,
                collider,
                element,
                next_collider,
                next_node,
                found_elapsed,
                found_collider,
                found_element,
                is_done,
                runner_up,
                padding_0,
                padding_1,
                padding_2
            }
        );
        same!(
            PARTICLES,
            "Collider",
            ColliderEntry {
                row_x,
                row_y,
                row_z,
                quadric_x,
                quadric_y,
                quadric_z,
                low,
                constant,
                high,
                kind,
                first,
                count,
                response,
                restitution,
                friction,
                triangles,
                padding_0,
                padding_1
            }
        );
        same!(
            PARTICLES,
            "Record",
            RecordEntry {
                position,
                time_low,
                normal,
                time_high,
                velocity,
                particle,
                generation,
                bounce,
                collider,
                element
            }
        );
        same!(
            IMPACT_MAP,
            "Map",
            MapEntry {
                row_x,
                row_y,
                row_z,
                low,
                kind,
                high,
                collider,
                width,
                height,
                fixed_per_speed,
                capacity
            }
        );
    }
}
