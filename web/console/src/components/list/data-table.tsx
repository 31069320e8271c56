import { Checkbox } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  columnVisibilityFeature,
  createColumnHelper,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListDefinition } from '#components/list/list-types.ts'
import { PhoneRow } from '#components/list/phone-row.tsx'
import classes from './data-table.module.css'

const FEATURES = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })
const ROW_HEIGHT = 41
const PHONE_ROW_HEIGHT = 65
/** The next page is requested when this many rows are left below the window. */
const ROWS_AHEAD = 15
/** The header of the page covers the rows behind it. */
const HEADER_HEIGHT = 84

interface DataTableProps<Row> {
  readonly list: ListDefinition<Row>
  readonly rows: readonly Row[]
  readonly columns: readonly string[]
  /** The rows belong to the previous filter. */
  readonly isStale: boolean
  readonly selected: readonly string[] | undefined
  readonly onSelect: (ids: readonly string[]) => void
  readonly onEnd: () => void
}

/** Rows of any number, of which only those in the window are in the document. Arrow keys move between rows. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { list, rows, columns, isStale, selected, onSelect, onEnd } = props
  const { t } = useTranslation([list.name, 'components'])
  const navigate = useNavigate()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const helper = useMemo(() => createColumnHelper<typeof FEATURES, Row>(), [])
  const definitions = useMemo(
    () =>
      list.columns.map(({ id, cell }) =>
        helper.display({ id, header: () => t(`column.${id}`), cell: ({ row }) => cell(row.original) }),
      ),
    [helper, list, t],
  )
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features: FEATURES,
    columns: definitions,
    data,
    getRowId: list.rowId,
    state: {
      columnVisibility: Object.fromEntries(list.columns.map(({ id }) => [id, columns.includes(id)])),
      rowSelection: Object.fromEntries((selected ?? []).map((id) => [id, true] as const)),
    },
    onRowSelectionChange: (update) => {
      const before = Object.fromEntries((selected ?? []).map((id) => [id, true] as const))
      const after = typeof update === 'function' ? update(before) : update
      onSelect(Object.keys(after).filter((id) => after[id] === true))
    },
  })
  const modelRows = table.getRowModel().rows

  const frame = useRef<HTMLTableElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    setTop((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: modelRows.length,
    estimateSize: () => (isPhone ? PHONE_ROW_HEIGHT : ROW_HEIGHT),
    overscan: 12,
    scrollMargin: top,
    scrollPaddingStart: HEADER_HEIGHT,
    scrollPaddingEnd: 8,
    getItemKey: (index) => modelRows[index]?.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= modelRows.length - ROWS_AHEAD) onEnd()
  }, [last, modelRows.length, onEnd])
  const before = (items[0]?.start ?? top) - top
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)

  const [active, setActive] = useState(0)
  // Keys may come faster than rows are drawn.
  const position = useRef(0)
  const hasFocus = useRef(false)
  const focusRow = () => {
    const row = frame.current?.querySelector<HTMLElement>(`[data-row="${position.current}"]`)
    const focused = row ?? frame.current
    if (focused !== document.activeElement) focused?.focus({ preventScroll: true })
  }
  // A row that leaves the window takes the focus with it. The table then keeps the keys until its row is drawn.
  useLayoutEffect(() => {
    const { activeElement } = document
    if (activeElement === frame.current || (hasFocus.current && activeElement === document.body)) focusRow()
  })
  const moveTo = (index: number) => {
    position.current = Math.max(0, Math.min(modelRows.length - 1, index))
    virtualizer.scrollToIndex(position.current, { align: 'auto' })
    setActive(position.current)
    focusRow()
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const row = modelRows[position.current]
    const isOnRow = event.target instanceof HTMLElement && event.target.dataset['row'] !== undefined
    if (row === undefined || !(isOnRow || event.target === frame.current)) return
    const link = list.rowLink?.(row.original)
    const target = {
      ArrowDown: position.current + 1,
      ArrowUp: position.current - 1,
      Home: 0,
      End: modelRows.length - 1,
    }[event.key]
    if (target !== undefined) moveTo(target)
    else if (event.key === 'Enter' && link !== undefined) void navigate({ to: link })
    else if (event.key === 'Enter' && list.rowOpen !== undefined) list.rowOpen(row.original)
    else if (event.key === ' ' && selected !== undefined) {
      onSelect(selected.includes(row.id) ? selected.filter((id) => id !== row.id) : [...selected, row.id])
    } else return
    event.preventDefault()
  }
  const tabStop = items.some(({ index }) => index === active) ? active : items[0]?.index
  const width = columns.length + (selected === undefined ? 0 : 1)

  return (
    <div className={classes.frame} data-stale={isStale || undefined}>
      <table
        ref={frame}
        className={classes.table}
        data-phone={isPhone || undefined}
        aria-label={t('title')}
        aria-rowcount={-1}
        tabIndex={-1}
        onKeyDown={press}
        onFocus={() => {
          hasFocus.current = true
        }}
        onBlur={() => {
          hasFocus.current = false
        }}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {selected !== undefined && (
                <th className={classes.check}>
                  <Checkbox
                    size="xs"
                    aria-label={t('components:list.select_all')}
                    checked={table.getIsAllRowsSelected()}
                    indeterminate={table.getIsSomeRowsSelected()}
                    onChange={table.getToggleAllRowsSelectedHandler()}
                  />
                </th>
              )}
              {group.headers.map((header) => (
                <th key={header.id} scope="col" data-align={alignOf(list, header.column.id)}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {before > 0 && <Spacer height={before} width={width} />}
          {items.map((item) => {
            const row = modelRows[item.index]
            if (row === undefined) return null
            const link = list.rowLink?.(row.original)
            return (
              <tr
                key={row.id}
                ref={virtualizer.measureElement}
                data-index={item.index}
                data-row={item.index}
                tabIndex={item.index === tabStop ? 0 : -1}
                aria-rowindex={item.index + 2}
                aria-selected={selected === undefined ? undefined : row.getIsSelected()}
                data-link={link !== undefined || list.rowOpen !== undefined || undefined}
                onFocus={() => {
                  position.current = item.index
                  setActive(item.index)
                }}
                onClick={(event) => {
                  const isControl = (event.target as HTMLElement).closest('a, button, input, label') !== null
                  if (isControl || window.getSelection()?.isCollapsed === false) return
                  if (link === undefined) return list.rowOpen?.(row.original)
                  if (event.metaKey || event.ctrlKey) window.open(hrefOf(event.currentTarget), '_blank')
                  else void navigate({ to: link })
                }}
              >
                {selected !== undefined && (
                  <td className={classes.check}>
                    <Checkbox
                      size="xs"
                      aria-label={t('components:list.select', { id: row.id })}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {isPhone ? (
                  <td colSpan={columns.length}>
                    <PhoneRow list={list} row={row.original} link={link} />
                  </td>
                ) : (
                  row.getVisibleCells().map((cell, index) => (
                    <td key={cell.id} data-align={alignOf(list, cell.column.id)}>
                      {index === 0 && link !== undefined ? (
                        <Link to={link} className={classes.link} tabIndex={-1}>
                          <table.FlexRender cell={cell} />
                        </Link>
                      ) : (
                        <table.FlexRender cell={cell} />
                      )}
                    </td>
                  ))
                )}
              </tr>
            )
          })}
          {after > 0 && <Spacer height={after} width={width} />}
        </tbody>
      </table>
    </div>
  )
}

function alignOf<Row>(list: ListDefinition<Row>, id: string): string | undefined {
  return list.columns.find((column) => column.id === id)?.align
}

function hrefOf(row: HTMLElement): string | undefined {
  return row.querySelector('a')?.href
}

function Spacer({ height, width }: { readonly height: number; readonly width: number }) {
  return (
    <tr aria-hidden className={classes.spacer}>
      <td colSpan={width} style={{ height }} />
    </tr>
  )
}
