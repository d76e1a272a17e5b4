//! The types of the records that are played: [MS-EMFPLUS] 2.1.1.1, RecordType.

/// The first record; its lowest flag says that the file also contains the picture as GDI records.
pub(super) const HEADER: u16 = 0x4001;
/// The GDI records after this record are part of the picture, up to the next EMF+ record.
pub(super) const GET_DC: u16 = 0x4004;
/// A brush, a pen, an image and so on.
pub(super) const OBJECT: u16 = 0x4008;
pub(super) const FILL_RECTS: u16 = 0x400a;
pub(super) const DRAW_RECTS: u16 = 0x400b;
pub(super) const FILL_POLYGON: u16 = 0x400c;
pub(super) const DRAW_LINES: u16 = 0x400d;
pub(super) const FILL_ELLIPSE: u16 = 0x400e;
pub(super) const DRAW_ELLIPSE: u16 = 0x400f;
pub(super) const FILL_PIE: u16 = 0x4010;
pub(super) const DRAW_PIE: u16 = 0x4011;
pub(super) const DRAW_ARC: u16 = 0x4012;
pub(super) const FILL_REGION: u16 = 0x4013;
pub(super) const FILL_PATH: u16 = 0x4014;
pub(super) const DRAW_PATH: u16 = 0x4015;
pub(super) const DRAW_BEZIERS: u16 = 0x4019;
pub(super) const DRAW_IMAGE: u16 = 0x401a;
pub(super) const DRAW_IMAGE_POINTS: u16 = 0x401b;
pub(super) const DRAW_STRING: u16 = 0x401c;
pub(super) const SAVE: u16 = 0x4025;
pub(super) const RESTORE: u16 = 0x4026;
pub(super) const BEGIN_CONTAINER_NO_PARAMS: u16 = 0x4028;
pub(super) const END_CONTAINER: u16 = 0x4029;
pub(super) const SET_WORLD_TRANSFORM: u16 = 0x402a;
pub(super) const RESET_WORLD_TRANSFORM: u16 = 0x402b;
pub(super) const MULTIPLY_WORLD_TRANSFORM: u16 = 0x402c;
pub(super) const TRANSLATE_WORLD_TRANSFORM: u16 = 0x402d;
pub(super) const SCALE_WORLD_TRANSFORM: u16 = 0x402e;
pub(super) const ROTATE_WORLD_TRANSFORM: u16 = 0x402f;
pub(super) const SET_PAGE_TRANSFORM: u16 = 0x4030;
pub(super) const RESET_CLIP: u16 = 0x4031;
pub(super) const SET_CLIP_RECT: u16 = 0x4032;
pub(super) const SET_CLIP_PATH: u16 = 0x4033;
pub(super) const SET_CLIP_REGION: u16 = 0x4034;
pub(super) const DRAW_DRIVER_STRING: u16 = 0x4036;

/// [MS-EMFPLUS] ObjectType.
pub(super) const OBJECT_TYPE_BRUSH: u16 = 1;
pub(super) const OBJECT_TYPE_PEN: u16 = 2;
pub(super) const OBJECT_TYPE_PATH: u16 = 3;
pub(super) const OBJECT_TYPE_IMAGE: u16 = 5;
pub(super) const OBJECT_TYPE_FONT: u16 = 6;
pub(super) const OBJECT_TYPE_STRING_FORMAT: u16 = 7;

/// The flag of points and rectangles that are stored as 16-bit integers, not as floats.
pub(super) const COMPRESSED_FLAG: u16 = 0x4000;
/// The flag of points that are stored relative to the one before.
pub(super) const RELATIVE_FLAG: u16 = 0x0800;
/// The flag of a colour in the place of the number of a brush.
pub(super) const SOLID_COLOR_FLAG: u16 = 0x8000;
/// The flag of an object that continues in the next record.
pub(super) const CONTINUED_FLAG: u16 = 0x8000;
/// The flag of lines whose last point is joined to the first.
pub(super) const CLOSED_FLAG: u16 = 0x2000;
/// The flag of a transformation that is applied after the current one.
pub(super) const POST_MULTIPLIED_FLAG: u16 = 0x2000;
