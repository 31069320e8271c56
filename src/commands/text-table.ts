import { onOneLine } from '#kernel/one-line'

/** Names come from merchants, and control characters could rewrite the operator's terminal. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows.map((row) => row.map(onOneLine))]
  const widths = header.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function membersAsText(members: object): string {
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${onOneLine(String(value))}`)
    .join('\n')
}
