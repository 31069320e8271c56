/**
 * Something that is drawn on one page.
 * - `gap`: Room above it, which the first piece of a page does without.
 * - `staysWithNext`: No page ends between this piece and the next one.
 * - `head`: The height of what is repeated above the piece where a page begins with it.
 */
export interface Piece {
  readonly height: number
  readonly gap?: number
  readonly staysWithNext?: boolean
  readonly head?: number
}

/** - `page`: Counts from 0. */
interface Place {
  readonly page: number
  readonly y: number
}

interface Column {
  readonly top: number
  readonly bottom: number
}

/** Pieces that stay together are torn only where they are higher than a page. */
export function placePieces(pieces: readonly Piece[], from: number, { top, bottom }: Column): Place[] {
  const places: Place[] = []
  let page = 0
  let y = from
  let isFirst = false
  const gapOf = ({ gap = 0 }: Piece) => (isFirst ? 0 : gap)
  for (const group of groupsOf(pieces)) {
    const [first] = group
    const height = group.reduce((sum, one, index) => sum + one.height + (index === 0 ? 0 : (one.gap ?? 0)), 0)
    const fitsHere = y + gapOf(first) + height <= bottom
    const isTorn = !fitsHere && (first.head ?? 0) + height > bottom - top
    if (!fitsHere && !isTorn && !isFirst) startPage(first)
    for (const piece of group) {
      if (isTorn && !isFirst && y + gapOf(piece) + piece.height > bottom) startPage(piece)
      y += gapOf(piece)
      places.push({ page, y })
      y += piece.height
      isFirst = false
    }
  }
  return places

  function startPage({ head = 0 }: Piece): void {
    page++
    y = top + head
    isFirst = true
  }
}

type Group = [Piece, ...Piece[]]

function groupsOf(pieces: readonly Piece[]): Group[] {
  const groups: Group[] = []
  let isOpen = false
  for (const piece of pieces) {
    if (isOpen) groups.at(-1)?.push(piece)
    else groups.push([piece])
    isOpen = piece.staysWithNext === true
  }
  return groups
}
