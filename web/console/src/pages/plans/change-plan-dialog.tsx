import { Checkbox, Loader, Radio, Stack, Table } from '@mantine/core'
import type { Plan, Schemas } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { Money } from '#components/money.tsx'
import { ScrollTable } from '#components/scroll-table.tsx'
import { Time } from '#components/time.tsx'
import { LineText } from '#pages/orders/line-text.tsx'
import { ItemsField } from '#pages/plans/items-field.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'
import { currencyOf, currentCycle } from '#pages/plans/plan.ts'
import { usePreview } from '#pages/plans/use-preview.ts'

type Change = Schemas['PlanChangeRequest']

/** Chooses other items or quantities. The dialog shows what they bill, and confirms nothing else. */
export function ChangePlanDialog({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation(['plans', 'components'])
  const [items, setItems] = useState(() => itemsOf(plan))
  const [at, setAt] = useState<NonNullable<Change['at']>>('now')
  const [proration, setProration] = useState<NonNullable<Change['proration']>>('now')
  const [isPaidFirst, setPaidFirst] = useState(true)
  const mayBePaidFirst = at === 'now' && proration === 'now' && plan.current_order?.state !== 'open'
  const recurring_items = items.map(({ id, quantity }) => ({ recurring_item_id: id, quantity }))
  const change: Change = { recurring_items, at, ...(at === 'now' && { proration }) }
  const isWanted = items.length > 0 && !isSame(itemsOf(plan), items)
  const preview = usePreview(['plans', plan.id, 'change'], isWanted ? change : null, (api, wanted, signal) =>
    api.quittance.plans.previewChange(plan.id, wanted, { signal }),
  )
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('change.title')}
      confirmLabel={t(at === 'now' ? 'change.confirm_now' : 'change.confirm_end')}
      doneMessage={t('change.done')}
      isDisabled={!preview.isFresh}
      disabledReason={
        preview.isLoading
          ? t('preview.loading')
          : items.length > 0 && !isWanted
            ? t('components:dialog.unchanged')
            : undefined
      }
      run={(quittance) =>
        quittance.plans.change(plan.id, {
          ...change,
          ...(mayBePaidFirst && { only_if_paid: isPaidFirst }),
          expected_total: preview.data?.change.total ?? '0',
        })
      }
    >
      <ItemsField items={items} onChange={setItems} />
      <Radio.Group label={t('change.when')} value={at} onChange={setAt}>
        <Stack gap={6} mt={6}>
          <Radio value="now" label={t('change.now')} />
          <Radio value="period_end" label={t('change.at_end')} />
        </Stack>
      </Radio.Group>
      {at === 'now' && (
        <Radio.Group label={t('change.difference')} value={proration} onChange={setProration}>
          <Stack gap={6} mt={6}>
            <Radio value="now" label={t('change.order_now')} />
            <Radio value="next_order" label={t('change.next_order')} />
            <Radio value="none" label={t('change.not_billed')} />
          </Stack>
        </Radio.Group>
      )}
      {mayBePaidFirst && (
        <Checkbox
          checked={isPaidFirst}
          onChange={(event) => setPaidFirst(event.currentTarget.checked)}
          label={t('change.paid_first')}
          description={t('change.paid_first_hint')}
        />
      )}
      <div aria-live="polite">
        {preview.error !== null && <ErrorState error={preview.error} />}
        {preview.isLoading && <Loader size="sm" aria-label={t('change.loading')} />}
        {preview.isFresh && preview.data !== undefined && (
          <ChangePreview preview={preview.data} currency={currencyOf(plan)} />
        )}
      </div>
    </ActionDialog>
  )
}

interface ChangePreviewProps {
  readonly preview: {
    readonly change: Schemas['PlanChange']
    readonly orders: readonly { readonly date: string; readonly amount: string }[]
  }
  readonly currency: string
}

function ChangePreview({ preview: { change, orders }, currency }: ChangePreviewProps) {
  const { t } = useTranslation('plans')
  return (
    <ScrollTable label={t('change.preview')} minWidth={300}>
      <Table.Tbody>
        {change.credited.map(({ order_number, amount }) => (
          <Table.Tr key={order_number}>
            <Table.Td>{t('change.credited')}</Table.Td>
            <Table.Td ta="right">
              <Money amount={amount} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
        {change.line_items.map((line, index) => (
          <Table.Tr key={`${index} ${line.kind}`}>
            <Table.Td>
              <LineText {...line} />
            </Table.Td>
            <Table.Td ta="right">
              <Money amount={line.total} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr fw={600}>
          <Table.Td>{t(change.state === 'scheduled' ? 'change.total_now' : 'change.total')}</Table.Td>
          <Table.Td ta="right">
            <Money amount={change.total} currency={currency} />
          </Table.Td>
        </Table.Tr>
        {orders.length > 0 && (
          <Table.Tr>
            <Table.Th colSpan={2}>{t('change.next_orders')}</Table.Th>
          </Table.Tr>
        )}
        {orders.map(({ date, amount }) => (
          <Table.Tr key={date}>
            <Table.Td>
              <Time at={date} />
            </Table.Td>
            <Table.Td ta="right">
              <Money amount={amount} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollTable>
  )
}

interface Item {
  readonly id: string
  readonly quantity: number
  readonly label?: string
}

function itemsOf(plan: Plan): readonly Item[] {
  return (currentCycle(plan)?.recurring_items ?? []).map(({ id, quantity, label }) => ({
    id,
    quantity,
    label,
  }))
}

function isSame(before: readonly Item[], after: readonly Item[]): boolean {
  const text = (items: readonly Item[]) => JSON.stringify(items.map(({ id, quantity }) => [id, quantity]))
  return text(before) === text(after)
}

/** Removes the change that waits for the end of the period. */
export function RemoveChangeDialog({ plan, onClose }: PlanDialogProps) {
  const { t } = useTranslation('plans')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('remove_change.title')}
      confirmLabel={t('remove_change.confirm')}
      doneMessage={t('remove_change.done')}
      effect={t('remove_change.effect')}
      run={(quittance) => quittance.plans.removeChange(plan.id)}
    />
  )
}
