import { Button, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import type { ListDefinition } from '#components/list/list-types.ts'
import { PhoneRow } from '#components/list/phone-row.tsx'
import { Placeholder } from '#components/parts.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import classes from './related-list.module.css'

interface RelatedListProps<Row> {
  readonly list: ListDefinition<Row>
  readonly label: string
  readonly empty: string
  readonly filter?: string
  readonly columns?: readonly string[]
  readonly limit?: number
}

/** Rows of another list that belong to the object of the page. */
export function RelatedList<Row extends object>({
  list,
  label,
  empty,
  filter,
  columns: names,
  limit = 10,
}: RelatedListProps<Row>) {
  const { t } = useTranslation([list.name, 'components'])
  const api = useApi()
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: api.key(list.name, 'list', 'related', filter, list.query),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      Promise.resolve(
        list.load(
          api,
          { limit, ...(filter !== undefined && { filter }), ...(cursor !== undefined && { cursor }) },
          signal,
        ),
      ),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })
  if (error !== null && data === undefined) return <ErrorState error={error} retry={refetch} />
  if (data === undefined) return <Placeholder />
  const rows = data.pages.flatMap((page) => page.data)
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    )
  }
  const columns = list.columns.filter(({ id, isHidden }) => names?.includes(id) ?? isHidden === undefined)
  return (
    <>
      {isPhone && list.columns.some(({ phone }) => phone === 'title') ? (
        <ul className={classes.rows} aria-label={label}>
          {rows.map((row) => (
            <li key={list.rowId(row)}>
              <PhoneRow list={list} row={row} link={list.rowLink?.(row)} isTabStop />
            </li>
          ))}
        </ul>
      ) : (
        <ScrollTable label={label} minWidth={columns.length * 110} verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ id, align }) => (
                <Table.Th key={id} ta={align}>
                  {t(`column.${id}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={list.rowId(row)}>
                {columns.map(({ id, align, cell }, index) => (
                  <Table.Td key={id} ta={align}>
                    {index === 0 && list.rowLink !== undefined ? (
                      <TextLink to={list.rowLink(row)}>{cell(row)}</TextLink>
                    ) : (
                      cell(row)
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ScrollTable>
      )}
      {hasNextPage && (
        <Button
          mt="xs"
          size="xs"
          variant="subtle"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('components:list.more')}
        </Button>
      )}
    </>
  )
}
