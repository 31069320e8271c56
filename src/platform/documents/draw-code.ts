import type PDFDocument from 'pdfkit'
import { encode } from 'uqr'

interface Square {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Slightly wider than the grid, because PDF readers draw seams between squares that only touch. */
const OVERLAP = 0.1

/** Draws a QR code. Its border is the white paper around it, 4 modules wide. */
export function drawCode(
  pdf: InstanceType<typeof PDFDocument>,
  content: string,
  { x, y, size }: Square,
): void {
  const code = encode(content, { ecc: 'M', border: 0 })
  const module = size / code.size
  pdf.fillColor('#000000')
  code.data.forEach((row, index) => {
    for (const { start, length } of runsIn(row)) {
      pdf.rect(x + start * module, y + index * module, length * module + OVERLAP, module + OVERLAP)
    }
  })
  pdf.fill()
}

function runsIn(row: readonly boolean[]): { start: number; length: number }[] {
  const runs: { start: number; length: number }[] = []
  row.forEach((isDark, column) => {
    const last = runs.at(-1)
    if (!isDark) return
    if (last !== undefined && last.start + last.length === column) last.length++
    else runs.push({ start: column, length: 1 })
  })
  return runs
}
