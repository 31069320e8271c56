import { Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '#components/section.tsx'
import { CouponsField } from '#pages/coupons/coupons-field.tsx'
import { PolicySelect } from '#pages/dunning/policy-select.tsx'
import { CustomerSelect } from '#pages/plans/customer-select.tsx'
import { ItemsField } from '#pages/plans/items-field.tsx'
import { TermFields, TrialFields, WHOLE } from '#pages/plans/lifecycle-fields.tsx'
import { type PlanDraft, UNITS } from '#pages/plans/plan-draft.ts'

interface PlanFormProps {
  readonly draft: PlanDraft
  readonly onChange: (draft: PlanDraft) => void
}

export function PlanForm({ draft, onChange }: PlanFormProps) {
  const { t } = useTranslation('plans')
  const change = (changes: Partial<PlanDraft>) => onChange({ ...draft, ...changes })
  return (
    <>
      <Part title={t('new.who')}>
        <TextInput
          label={t('column.name')}
          value={draft.name}
          required
          maxLength={255}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <CustomerSelect value={draft.customer} onChange={(customer) => change({ customer })} />
        <ItemsField items={draft.items} onChange={(items) => change({ items })} />
      </Part>
      <Part title={t('cycles')}>
        <Group grow align="flex-end">
          <NumberInput
            {...WHOLE}
            label={t('form.every')}
            value={draft.every}
            min={1}
            max={1000}
            required
            onChange={(value) => change({ every: Number(value) })}
          />
          <Select
            label={t('form.unit')}
            data={UNITS.map((unit) => ({ value: unit, label: t(`unit.${unit}`) }))}
            value={draft.unit}
            allowDeselect={false}
            onChange={(unit) => change({ unit: UNITS.find((one) => one === unit) ?? 'month' })}
          />
        </Group>
        {draft.unit === 'month' && (
          <NumberInput
            {...WHOLE}
            label={t('form.day_of_month')}
            description={t('form.day_of_month_hint')}
            value={draft.dayOfMonth ?? ''}
            min={1}
            max={31}
            onChange={(value) => change({ dayOfMonth: value === '' ? null : Number(value) })}
          />
        )}
        <Group grow align="flex-end">
          <TextInput
            label={t('form.start')}
            description={t('form.start_hint')}
            type="date"
            value={draft.start}
            onChange={(event) => change({ start: event.currentTarget.value })}
          />
          <NumberInput
            {...WHOLE}
            label={t('form.orders')}
            description={t('form.orders_hint')}
            value={draft.orders ?? ''}
            min={1}
            onChange={(value) => change({ orders: value === '' ? null : Number(value) })}
          />
        </Group>
      </Part>
      <Part title={t('new.trial_and_term')}>
        <TrialFields trial={draft.trial} onChange={(trial) => change({ trial })} />
        <TermFields terms={draft.terms} onChange={(terms) => change({ terms })} />
      </Part>
      <Part title={t('new.reductions')}>
        <CouponsField value={draft.coupons} onChange={(coupons) => change({ coupons })} />
        <Group grow align="flex-end">
          <TextInput
            label={t('form.discount')}
            value={draft.discount}
            inputMode="decimal"
            onChange={(event) => change({ discount: event.currentTarget.value.trim() })}
          />
          <Select
            label={t('form.discount_type')}
            data={(['fixed_amount', 'percentage'] as const).map((value) => ({
              value,
              label: t(`discount.${value}`),
            }))}
            value={draft.discountType}
            allowDeselect={false}
            onChange={(value) => change({ discountType: value === 'percentage' ? value : 'fixed_amount' })}
          />
        </Group>
      </Part>
      <Part title={t('new.on_invoices')}>
        <Group grow align="flex-start">
          <TextInput
            label={t('form.buyer_reference')}
            description={t('form.buyer_reference_hint')}
            maxLength={255}
            autoComplete="off"
            value={draft.buyerReference}
            onChange={(event) => change({ buyerReference: event.currentTarget.value })}
          />
          <TextInput
            label={t('form.purchase_order')}
            description={t('form.purchase_order_hint')}
            maxLength={255}
            autoComplete="off"
            value={draft.purchaseOrder}
            onChange={(event) => change({ purchaseOrder: event.currentTarget.value })}
          />
        </Group>
      </Part>
      <Part title={t('new.unpaid')}>
        <PolicySelect value={draft.policy} onChange={(policy) => change({ policy })} />
        {draft.policy === null && (
          <Group grow align="flex-end">
            <NumberInput
              {...WHOLE}
              label={t('attempts')}
              value={draft.attempts}
              min={1}
              max={100}
              required
              onChange={(value) => change({ attempts: Number(value) })}
            />
            <NumberInput
              {...WHOLE}
              label={t('days_between')}
              value={draft.daysBetween}
              min={1}
              max={3650}
              required
              onChange={(value) => change({ daysBetween: Number(value) })}
            />
          </Group>
        )}
        <NumberInput
          {...WHOLE}
          label={t('form.grace')}
          description={t('form.grace_hint')}
          value={draft.grace ?? ''}
          min={0}
          max={3650}
          onChange={(value) => change({ grace: value === '' ? null : Number(value) })}
        />
      </Part>
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

function Part({ title, children }: PartProps) {
  return (
    <Section title={title}>
      <Stack gap="sm">{children}</Stack>
    </Section>
  )
}
