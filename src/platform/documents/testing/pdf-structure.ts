import { type PdfObject, readFontMaps, readObjects, readPage } from './pdf-text.ts'

/** An element of a tagged PDF, with its own texts and those below it. */
export interface PdfElement {
  readonly role: string
  readonly texts: readonly string[]
  readonly children: readonly PdfElement[]
}

/** Reads the logical structure of a PDF that pdfkit wrote. */
export function structureOfPdf(pdf: Buffer): PdfElement[] {
  const objects = readObjects(pdf)
  const root = [...objects.values()].find(({ head }) => head.includes('/Type /StructTreeRoot'))
  if (root === undefined) throw new Error('the PDF is not tagged')
  const texts = textsOfPages(objects)
  const read = (id: string): PdfElement => {
    const head = objects.get(id)?.head ?? ''
    const page = /\/Pg (\d+) 0 R/.exec(head)?.[1] ?? ''
    const kids = /\/K \[([^\]]*)\]/.exec(head)?.[1] ?? ''
    const marks = [...kids.replaceAll(/\d+ 0 R/g, '').matchAll(/\d+/g)].map(([mark]) => mark)
    return {
      role: /\/S \/(\w+)/.exec(head)?.[1] ?? '',
      texts: marks.flatMap((mark) => texts.get(`${page} ${mark}`) ?? []),
      children: referencesIn(kids)
        .filter((kid) => objects.get(kid)?.head.includes('/S /') === true)
        .map(read),
    }
  }
  return referencesIn(/\/K \[([^\]]*)\]/.exec(root.head)?.[1] ?? '').map(read)
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(/(\d+) 0 R/g)].map(([, id = '']) => id)
}

/** By the number of the page's object and the mark of the content. */
function textsOfPages(objects: ReadonlyMap<string, PdfObject>): ReadonlyMap<string, string> {
  const maps = readFontMaps(objects)
  const found = new Map<string, string>()
  for (const [page, { head }] of objects) {
    const contents = /\/Contents (\d+) 0 R/.exec(head)?.[1]
    if (contents === undefined) continue
    const { stream = '' } = objects.get(contents) ?? {}
    for (const [, mark = '', content = ''] of stream.matchAll(/\/MCID (\d+)\s*>> BDC\n([^]*?)\nEMC/g)) {
      found.set(`${page} ${mark}`, readPage(content, maps).join(''))
    }
  }
  return found
}
