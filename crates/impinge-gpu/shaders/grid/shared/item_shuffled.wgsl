// Items that all lanes test one after the other, where the eight lanes of a workgroup are one subgroup: each
// lane reads one and shuffles it to the others. A device that reads storage lane by lane reads an eighth.

fn read_ahead(from_item: u32, lane: u32, end: u32) -> Item {
    return item(min(from_item + lane, end - 1u));
}

fn hand_round(own: Item, after: u32) -> Item {
    return Item(
        subgroupShuffle(own.words, after),
        subgroupShuffle(own.vertices, after),
        subgroupShuffle(own.slabs, after),
    );
}
