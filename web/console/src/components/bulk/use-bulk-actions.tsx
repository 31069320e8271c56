import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BULK_TARGETS, type BulkTarget, type Selection } from '#components/bulk/bulk-action.ts'
import type { BulkAction } from '#components/list/list-types.ts'

const BulkDialog = lazy(() =>
  import('#components/bulk/bulk-dialog.tsx').then(({ BulkDialog: component }) => ({ default: component })),
)

interface BulkOptions<Row> {
  readonly of: BulkTarget
  readonly idOf: (row: Row) => string
}

/** The bulk actions of a list, for `ListPage`, and their dialog. */
export function useBulkActions<Row>({ of, idOf }: BulkOptions<Row>): {
  readonly actions: readonly BulkAction<Row>[]
  readonly dialog: ReactNode
} {
  const { t } = useTranslation('bulk')
  const [selection, setSelection] = useState<Selection>()
  const { actions, scope, takesFilter } = BULK_TARGETS[of]
  return {
    actions: actions.map((action) => ({
      name: action,
      label: t(`${action}.button`),
      scope,
      takesFilter,
      start: (rows, filter) => setSelection({ action, ids: rows.map(idOf), filter }),
    })),
    dialog: selection && (
      <Suspense fallback={null}>
        <BulkDialog of={of} selection={selection} onClose={() => setSelection(undefined)} />
      </Suspense>
    ),
  }
}
