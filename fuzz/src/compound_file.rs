//! A compound file (MS-CFB) of the streams of a Word file, so that an input is their bytes alone.

const SECTOR: usize = 512;
/// Types of directory entries ([MS-CFB] 2.6.1).
const UNUSED: u32 = 0;
const STREAM: u32 = 2;
const ROOT_STORAGE: u32 = 5;
/// Sector numbers of special meaning ([MS-CFB] 2.1).
const END_OF_CHAIN: u32 = 0xffff_fffe;
const FREE: u32 = 0xffff_ffff;
const FAT_SECTOR: u32 = 0xffff_fffd;
/// Shorter streams would have to be in the mini stream.
const MIN_STREAM_BYTES: usize = 4096;

/// Builds a file of version 3 with these streams; none where one sector of the FAT cannot hold them.
pub fn compound_file(streams: &[(&str, &[u8])]) -> Option<Vec<u8>> {
    let (mut fat, mut data, mut directory) =
        (vec![FAT_SECTOR, END_OF_CHAIN], Vec::new(), Vec::new());
    let child = if streams.is_empty() { FREE } else { 1 };
    push_entry(&mut directory, "Root Entry", [ROOT_STORAGE, FREE, child, END_OF_CHAIN, 0]);
    for (number, (name, bytes)) in (1u32..).zip(streams) {
        let start = u32::try_from(fat.len()).ok()?;
        let length = bytes.len().max(MIN_STREAM_BYTES).next_multiple_of(SECTOR);
        let end = start + u32::try_from(length / SECTOR).ok()?;
        fat.extend((start + 1..end).chain([END_OF_CHAIN]));
        data.extend_from_slice(bytes);
        data.resize(data.len().next_multiple_of(SECTOR).max(data.len() - bytes.len() + length), 0);
        let right = if (number as usize) < streams.len() { number + 1 } else { FREE };
        push_entry(&mut directory, name, [STREAM, right, FREE, start, u32::try_from(length).ok()?]);
    }
    while directory.len() < SECTOR {
        push_entry(&mut directory, "", [UNUSED, FREE, FREE, 0, 0]);
    }
    if fat.len() > SECTOR / 4 || directory.len() > SECTOR {
        return None;
    }
    fat.resize(SECTOR / 4, FREE);
    let fat = fat.iter().flat_map(|next| next.to_le_bytes());
    Some(header().into_iter().chain(fat).chain(directory).chain(data).collect())
}

fn header() -> Vec<u8> {
    let mut header = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    header.extend([0; 16]);
    for field in [0x3e_u16, 3, 0xfffe, 9, 6, 0, 0, 0] {
        header.extend(field.to_le_bytes());
    }
    for field in [0, 1, 1, 0, MIN_STREAM_BYTES as u32, END_OF_CHAIN, 0, END_OF_CHAIN, 0, 0] {
        header.extend(field.to_le_bytes());
    }
    header.resize(SECTOR, 0xff);
    header
}

/// Appends an entry of the directory: type, right sibling, child, first sector, length.
fn push_entry(directory: &mut Vec<u8>, name: &str, fields: [u32; 5]) {
    let [kind, right, child, start, length] = fields;
    let mut units: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let name_bytes = if name.is_empty() { 0 } else { units.len() as u16 + 2 };
    units.resize(64, 0);
    directory.extend(units);
    directory.extend(name_bytes.to_le_bytes());
    directory.extend([kind as u8, 1]);
    for field in [FREE, right, child] {
        directory.extend(field.to_le_bytes());
    }
    directory.extend([0; 36]);
    for field in [start, length, 0] {
        directory.extend(field.to_le_bytes());
    }
}
