import { Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Price } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { useDecimalError } from '#components/decimal-error.ts'
import { isCurrency, useEnteredCurrency } from '#components/main-currency.ts'
import { AddButton, RemoveButton } from '#components/row-buttons.tsx'

interface PriceDialogProps {
  readonly productId: string
  /** The price to create the next version of. Without it the dialog creates a new price. */
  readonly before?: Price
  readonly onClose: () => void
}

interface Tier {
  readonly upTo: string
  readonly unitAmount: string
  readonly flatAmount: string
}

const MODELS = ['flat', 'per_unit', 'volume', 'graduated', 'package'] as const
const TAX_BEHAVIORS = ['exclusive', 'inclusive'] as const
const NEW_TIER: Tier = { upTo: '', unitAmount: '', flatAmount: '' }
const AMOUNT = /^\d+(?:\.\d{1,12})?$/

export function PriceDialog({ productId, before, onClose }: PriceDialogProps) {
  const { t } = useTranslation('prices')
  const [label, setLabel] = useState(before?.label ?? '')
  const [currency, setCurrency] = useEnteredCurrency(before?.currency)
  const [model, setModel] = useState<Price['model']>(before?.model ?? 'per_unit')
  const [unitAmount, setUnitAmount] = useState(before?.unit_amount ?? '')
  const [packageSize, setPackageSize] = useState<number | string>(before?.package_size ?? 100)
  const [taxBehavior, setTaxBehavior] = useState<Price['tax_behavior']>(before?.tax_behavior ?? 'exclusive')
  const [tiers, setTiers] = useState<readonly Tier[]>(before?.tiers?.map(tierOf) ?? [NEW_TIER])
  const isTiered = model === 'volume' || model === 'graduated'
  const isComplete =
    isCurrency(currency) &&
    (isTiered ? tiers.every(isCompleteTier) : AMOUNT.test(unitAmount)) &&
    (model !== 'package' || typeof packageSize === 'number')
  const members = {
    model,
    ...(label !== '' && { label }),
    ...(isTiered ? { tiers: tiers.map(membersOf) } : { unit_amount: unitAmount }),
    ...(model === 'package' && { package_size: Number(packageSize) }),
    tax_behavior: taxBehavior,
  }
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(before === undefined ? 'new.title' : 'version.title')}
      confirmLabel={t(before === undefined ? 'new.confirm' : 'version.confirm')}
      doneMessage={t(before === undefined ? 'new.done' : 'version.done')}
      effect={t(before === undefined ? 'new.effect' : 'version.effect')}
      isDisabled={!isComplete}
      run={(quittance) =>
        before === undefined
          ? quittance.prices.create({ product_id: productId, currency, ...members })
          : quittance.prices.createVersion(before.id, members)
      }
    >
      <Group grow align="flex-start">
        <Select
          label={t('column.model')}
          data={MODELS.map((value) => ({ value, label: t(`model.${value}`) }))}
          value={model}
          allowDeselect={false}
          data-autofocus
          onChange={(value) => value !== null && setModel(value)}
        />
        <TextInput
          label={t('column.currency')}
          required
          maxLength={3}
          value={currency}
          disabled={before !== undefined}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t(`explained.${model}`)}
      </Text>
      {!isTiered && (
        <Group grow align="flex-start">
          <AmountInput label={t('column.unit_amount')} value={unitAmount} onChange={setUnitAmount} />
          {model === 'package' && (
            <NumberInput
              label={t('column.package_size')}
              value={packageSize}
              min={1}
              allowDecimal={false}
              required
              onChange={setPackageSize}
            />
          )}
        </Group>
      )}
      {isTiered && <TiersField tiers={tiers} onChange={setTiers} />}
      <TextInput
        label={t('column.label')}
        description={t('new.label_hint')}
        maxLength={255}
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <Select
        label={t('column.tax_behavior')}
        data={TAX_BEHAVIORS.map((value) => ({ value, label: t(`tax.${value}`) }))}
        value={taxBehavior}
        allowDeselect={false}
        onChange={(value) => value !== null && setTaxBehavior(value)}
      />
    </ActionDialog>
  )
}

interface TiersFieldProps {
  readonly tiers: readonly Tier[]
  readonly onChange: (tiers: readonly Tier[]) => void
}

/** The last tier has no end. */
function TiersField({ tiers, onChange }: TiersFieldProps) {
  const { t } = useTranslation('prices')
  const change = (index: number, member: Partial<Tier>) =>
    onChange(tiers.map((tier, position) => (position === index ? { ...tier, ...member } : tier)))
  return (
    <Stack gap="xs">
      {tiers.map((tier, index) => (
        // A tier has no id of its own, and only its place distinguishes it.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={t('tier.up_to')}
            inputMode="decimal"
            value={index === tiers.length - 1 ? t('tier.no_end') : tier.upTo}
            disabled={index === tiers.length - 1}
            onChange={(event) => change(index, { upTo: event.currentTarget.value.trim() })}
          />
          <AmountInput
            label={t('column.unit_amount')}
            value={tier.unitAmount}
            onChange={(unitAmount) => change(index, { unitAmount })}
          />
          <TextInput
            label={t('tier.flat_amount')}
            inputMode="decimal"
            value={tier.flatAmount}
            onChange={(event) => change(index, { flatAmount: event.currentTarget.value.trim() })}
          />
          <RemoveButton
            mb={4}
            {...(tiers.length === 1 && { style: { visibility: 'hidden' } })}
            label={t('tier.remove')}
            onClick={() => onChange(tiers.filter((_, position) => position !== index))}
          />
        </Group>
      ))}
      <AddButton onClick={() => onChange([...tiers, NEW_TIER])}>{t('tier.add')}</AddButton>
    </Stack>
  )
}

interface AmountInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Amounts of one unit may have more decimals than the currency. */
function AmountInput({ label, value, onChange }: AmountInputProps) {
  const { t } = useTranslation('prices')
  const decimalError = useDecimalError()
  return (
    <TextInput
      label={label}
      required
      inputMode="decimal"
      autoComplete="off"
      value={value}
      error={decimalError(value, AMOUNT.test(value), t('new.amount_invalid'))}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  )
}

type SentTier = NonNullable<Price['tiers']>[number]

function tierOf({ up_to, unit_amount, flat_amount }: SentTier): Tier {
  return { upTo: up_to ?? '', unitAmount: unit_amount, flatAmount: flat_amount ?? '' }
}

function isCompleteTier(
  { upTo, unitAmount, flatAmount }: Tier,
  index: number,
  all: readonly Tier[],
): boolean {
  const hasEnd = index === all.length - 1 || AMOUNT.test(upTo)
  return hasEnd && AMOUNT.test(unitAmount) && (flatAmount === '' || AMOUNT.test(flatAmount))
}

function membersOf({ upTo, unitAmount, flatAmount }: Tier, index: number, all: readonly Tier[]) {
  return {
    up_to: index === all.length - 1 ? null : upTo,
    unit_amount: unitAmount,
    ...(flatAmount !== '' && { flat_amount: flatAmount }),
  }
}
