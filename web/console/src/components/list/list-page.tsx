import { Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { ColumnMenu } from '#components/list/column-menu.tsx'
import { DataTable } from '#components/list/data-table.tsx'
import { ExportButton } from '#components/list/export-button.tsx'
import { FilterBar } from '#components/list/filter-bar.tsx'
import type { ListSearch } from '#components/list/list-search.ts'
import { useListSettings } from '#components/list/list-settings.ts'
import type { BulkAction, ListDefinition } from '#components/list/list-types.ts'
import { SavedViews } from '#components/list/saved-views.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'

const PAGE_ROWS = 50
const NO_ACTIONS: readonly never[] = []

interface ListPageProps<Row> {
  readonly list: ListDefinition<Row>
  /** Default: `title` in the area of the list. */
  readonly title?: string
  readonly actions?: ReactNode
  /** Stands between the header and the list. */
  readonly above?: ReactNode
  readonly bulkActions?: readonly BulkAction<Row>[]
  /** What to do where the list has no rows at all. */
  readonly empty?: ReactNode
}

/** A page with one list of the API. The route reads `readListSearch`. */
export function ListPage<Row extends object>({
  list,
  title,
  actions,
  above,
  bulkActions = NO_ACTIONS,
  empty,
}: ListPageProps<Row>) {
  const { t } = useTranslation([list.name, 'components'])
  return (
    <>
      <PageHeader title={title ?? t('title')} actions={actions} />
      {above}
      <List list={list} bulkActions={bulkActions} empty={empty} />
    </>
  )
}

/** The list without the header of a page. */
export function List<Row extends object>({
  list,
  bulkActions = NO_ACTIONS,
  empty,
}: Omit<ListPageProps<Row>, 'above' | 'actions' | 'title'>) {
  const { t } = useTranslation([list.name, 'components'])
  const api = useApi()
  const navigate = useNavigate()
  const search: ListSearch = useSearch({ strict: false })
  const usual = list.defaultFilter ?? ''
  const filter = search.filter ?? usual
  const [settings, saveSettings] = useListSettings(list.name)
  const [selected, setSelected] = useState<readonly string[]>([])
  const {
    data,
    error,
    isPending,
    isFetchingNextPage,
    hasNextPage,
    fetchNextPage,
    refetch,
    isPlaceholderData,
  } = useInfiniteQuery({
    queryKey: api.key(list.name, 'list', filter, list.query),
    queryFn: ({ pageParam, signal }) =>
      Promise.resolve(
        list.load(
          api,
          {
            limit: PAGE_ROWS,
            ...(filter !== '' && { filter }),
            ...(pageParam !== null && { cursor: pageParam }),
          },
          signal,
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (previous) => previous,
  })
  const setFilter = (changed: string) => {
    setSelected([])
    void navigate({
      to: '.',
      search: (previous: Record<string, unknown>) => {
        const next = { ...previous, filter: changed }
        if (changed === usual) Reflect.deleteProperty(next, 'filter')
        return next
      },
    })
  }
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const columns =
    settings.columns ?? list.columns.filter(({ isHidden }) => isHidden === undefined).map(({ id }) => id)
  const allowed = bulkActions.filter(({ scope }) => api.can(scope))
  const chosen = rows.filter((row) => selected.includes(list.rowId(row)))
  const offered = allowed.filter(({ takesFilter }) => chosen.length > 0 || (takesFilter && filter !== ''))

  return (
    <Stack gap="sm">
      <SavedViews
        list={list}
        filter={filter}
        settings={settings}
        onChoose={(view) => {
          setFilter(view.filter)
          if (view.columns !== undefined) saveSettings({ ...settings, columns: view.columns })
        }}
        onChange={(views) => saveSettings({ ...settings, views })}
      />
      <Group justify="space-between" align="flex-start" gap="xs">
        <FilterBar list={list} filter={filter} onChange={setFilter} />
        <Group gap="xs" ml="auto">
          <ColumnMenu
            list={list}
            columns={columns}
            onChange={(changed) => saveSettings({ ...settings, columns: changed })}
          />
          {list.path !== undefined && (
            <ExportButton list={list} path={list.path} filter={filter} columns={columns} />
          )}
        </Group>
      </Group>
      {offered.length > 0 && rows.length > 0 && (
        <Group gap="xs" aria-live="polite">
          <Text size="sm" c="dimmed">
            {chosen.length > 0
              ? t('components:list.selected', { count: chosen.length })
              : t('components:list.bulk_hint')}
          </Text>
          {offered.map(({ name, label, start }) => (
            <Button key={name} size="xs" variant="default" onClick={() => start(chosen, filter)}>
              {label}
            </Button>
          ))}
        </Group>
      )}
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {isPending && error === null && <PageSkeleton />}
      {data !== undefined &&
        (rows.length > 0 ? (
          <DataTable
            list={list}
            rows={rows}
            columns={columns}
            isStale={isPlaceholderData}
            selected={allowed.length > 0 ? selected : undefined}
            onSelect={setSelected}
            onEnd={() => {
              if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
            }}
          />
        ) : filter === '' ? (
          <EmptyState title={t('empty.title')} text={t('empty.text')}>
            {empty}
          </EmptyState>
        ) : filter === usual ? (
          <EmptyState title={t('usual.title')} text={t('usual.text')} />
        ) : (
          <EmptyState
            title={t('components:list.nothing_found')}
            text={t('components:list.nothing_found_text')}
          >
            <Button variant="default" onClick={() => setFilter('')}>
              {t('components:filter.clear')}
            </Button>
          </EmptyState>
        ))}
      {rows.length > 0 && (
        <Group justify="center" gap="xs" mih={32} aria-live="polite">
          {isFetchingNextPage && <Loader size="xs" aria-hidden />}
          {!isFetchingNextPage && hasNextPage && (
            <Button variant="subtle" size="xs" onClick={() => void fetchNextPage()}>
              {t('components:list.more')}
            </Button>
          )}
          <Text size="xs" c="dimmed">
            {t(hasNextPage ? 'components:list.rows_so_far' : 'components:list.rows', { count: rows.length })}
          </Text>
        </Group>
      )}
    </Stack>
  )
}
