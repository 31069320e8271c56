import { Table, type TableProps } from '@mantine/core'

interface ScrollTableProps extends TableProps {
  readonly label: string
  /** In pixels. A narrower screen scrolls the table sideways, with the arrow keys too. */
  readonly minWidth: number
}

/** A plain table in a page. Lists with filters are `DataTable`. */
export function ScrollTable({ label, minWidth, children, ...table }: ScrollTableProps) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      // Texts for screen readers stand outside the flow, and would otherwise make the page wider than the screen.
      pos="relative"
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <Table {...table}>{children}</Table>
    </Table.ScrollContainer>
  )
}
