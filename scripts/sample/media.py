"""Pictures and equation previews as parts of a Word file, and the markup that shows them."""

from . import archive, cfb, emf, pictures, png, wmf

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
EMU = 9525
DRAWING = (
    '<w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">'
    '<wp:extent cx="{cx}" cy="{cy}"/><wp:docPr id="{id}" name="Picture {id}"/>'
    "<a:graphic><a:graphicData "
    'uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>'
    '<pic:cNvPr id="{id}" name="{name}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>'
    '<a:blip r:embed="{rid}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="{cx}" cy="{cy}"/></a:xfrm>'
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>'
    "</a:graphic></wp:inline></w:drawing>"
)
SHAPE_TYPE = (
    '<v:shapetype id="_x0000_t75" coordsize="21600,21600" o:spt="75" o:preferrelative="t" '
    'path="m@4@5l@4@11@9@11@9@5xe" filled="f" stroked="f"/>'
)
SHAPE = (
    '<v:shape id="_x0000_i{id}" type="#_x0000_t75" style="width:{width}pt;height:{height}pt"{ole}>'
    '<v:imagedata r:id="{rid}" o:title=""/></v:shape>'
)
OLE = (
    '<o:OLEObject Type="Embed" ProgID="{prog}" ShapeID="_x0000_i{id}" DrawAspect="Content" '
    'ObjectID="_17{id}00" r:id="{rid}"/>'
)
ALTERNATE = (
    '<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline><a:graphic>'
    '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup">'
    "{boxes}</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>"
    "<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent>"
)


class Media:
    """Parts and relationships of one document, numbered in the order they are added."""

    def __init__(self, date):
        self.date = date
        self.parts = []
        self.relationships = []

    def relate(self, kind, target):
        rid = f"rId{len(self.relationships) + 1}"
        self.relationships.append((rid, f"{REL}/{kind}", target))
        return rid

    def image(self, data, extension):
        count = sum(name.startswith("word/media/") for name, _ in self.parts)
        name = f"media/image{count + 1}.{extension}"
        self.parts.append((f"word/{name}", data))
        return self.relate("image", name), name

    def picture(self, block):
        """The run content that shows a picture block."""
        picture = pictures.read(block.options, block.lines)
        form = block.options.split(" ")[0]
        if form == "png":
            return self.drawing(picture)
        rid, _ = self.image(emf.encode(picture), "emf")
        return self.drawn_object(picture, rid, form)

    def drawing(self, picture):
        rid, name = self.image(png.encode(picture), "png")
        size = {"cx": picture.width * EMU, "cy": picture.height * EMU}
        return DRAWING.format(id=len(self.parts), rid=rid, name=name, **size)

    def drawn_object(self, picture, rid, form):
        """A metafile in a bare VML shape (`emf-pict`), behind shapes drawn in the text
        (`emf-alternate`), or as the preview of an embedded drawing (`emf`)."""
        values = {"id": 1024 + len(self.parts), "rid": rid,
                  "width": picture.width * 3 // 4, "height": picture.height * 3 // 4}
        bare = f"<w:pict>{SHAPE_TYPE}{SHAPE.format(ole='', **values)}</w:pict>"
        if form == "emf-pict":
            return bare
        if form == "emf-alternate":
            return ALTERNATE.format(boxes=text_boxes(picture), fallback=bare)
        shape = SHAPE_TYPE + SHAPE.format(ole=' o:ole=""', **values)
        embedded = self.embed("vsdx", drawing_package(picture, self.date), "package")
        ole = OLE.format(prog="Visio.Drawing.15", id=values["id"], rid=embedded)
        return self.object_of(shape + ole, picture.width * 15, picture.height * 15)

    def old_equation(self, text):
        """An equation of the old editor: its text is only in the preview picture."""
        rid, _ = self.image(wmf.encode(text), "wmf")
        values = {"id": 1024 + len(self.parts), "rid": rid, "width": 6 * len(text), "height": 16}
        native = bytes([3, 1, 1, 3, 0]) + text.encode("ascii")
        data = cfb.pack([("\1CompObj", b"Equation.3"), ("Equation Native", native)])
        embedded = self.embed("bin", data, "oleObject")
        shape = SHAPE_TYPE + SHAPE.format(ole=' o:ole=""', **values)
        ole = OLE.format(prog="Equation.3", id=values["id"], rid=embedded)
        return self.object_of(shape + ole, 120 * len(text), 320)

    def embed(self, extension, data, kind):
        count = sum(name.startswith("word/embeddings/") for name, _ in self.parts)
        name = f"embeddings/oleObject{count + 1}.{extension}"
        self.parts.append((f"word/{name}", data))
        return self.relate(kind, name)

    @staticmethod
    def object_of(inner, width, height):
        return f'<w:object w:dxaOrig="{width}" w:dyaOrig="{height}">{inner}</w:object>'


def text_boxes(picture):
    """The labels as text boxes, one after the other."""
    return "".join(
        "<wps:wsp><wps:txbx><w:txbxContent><w:p><w:r>"
        f"<w:t>{label}</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp>"
        for label in picture.labels
    )


def drawing_package(picture, date):
    """A stand-in for the drawing program's file: the labels on one page."""
    shapes = "".join(
        f'<Shape ID="{i}"><Text>{label}</Text></Shape>'
        for i, label in enumerate(picture.labels, 1)
    )
    page = f'<?xml version="1.0"?><PageContents><Shapes>{shapes}</Shapes></PageContents>'
    types = '<?xml version="1.0"?><Types><Default Extension="xml" ContentType="text/xml"/></Types>'
    members = [("[Content_Types].xml", types), ("visio/pages/page1.xml", page)]
    return archive.pack([(name, text.encode()) for name, text in members], date)
