import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Plan } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { ActionDialog } from '#components/action-dialog.tsx'
import { TextLink } from '#components/links.tsx'
import { Section } from '#components/section.tsx'
import { type PlanCoupon, useCouponText } from '#pages/coupons/coupon-text.ts'
import { useCouponOptions } from '#pages/coupons/coupons-field.tsx'

/** The coupons of a plan, in the order in which they lower its orders. */
export function PlanCoupons({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('coupons')
  const text = useCouponText()
  const [open, setOpen] = useState<'attach' | PlanCoupon>()
  const hasEnded = plan.state === 'completed' || plan.state === 'canceled'
  const coupons = plan.coupons ?? []
  if (hasEnded && coupons.length === 0) return null
  const close = () => setOpen(undefined)
  return (
    <Section
      title={t('title')}
      actions={
        !hasEnded && (
          <ActionButton scope="recurring:write" onClick={() => setOpen('attach')}>
            {t('attach.button')}
          </ActionButton>
        )
      }
    >
      {coupons.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('attach.none')}
        </Text>
      )}
      <Stack gap="xs">
        {coupons.map((coupon) => (
          <Group key={coupon.id} justify="space-between" wrap="nowrap">
            <div>
              <TextLink to="/coupons/$id" params={{ id: coupon.id }}>
                {coupon.name}
              </TextLink>
              <Text size="xs" c="dimmed">
                {text(coupon)}
                {coupon.times !== null && ` · ${t('lowered', { count: coupon.periods_lowered })}`}
                {coupon.code !== null && ` · ${coupon.code}`}
              </Text>
            </div>
            {!hasEnded && (
              <Button size="compact-xs" variant="default" onClick={() => setOpen(coupon)}>
                {t('detach.button')}
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {open === 'attach' && <AttachDialog plan={plan} onClose={close} />}
      {typeof open === 'object' && <DetachDialog plan={plan} coupon={open} onClose={close} />}
    </Section>
  )
}

interface DialogProps {
  readonly plan: Plan
  readonly onClose: () => void
}

function AttachDialog({ plan, onClose }: DialogProps) {
  const { t } = useTranslation('coupons')
  const options = useCouponOptions()
  const [coupon, setCoupon] = useState<string | null>(null)
  const [code, setCode] = useState('')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('attach.title')}
      confirmLabel={t('attach.confirm')}
      doneMessage={t('attach.done')}
      effect={t('attach.effect')}
      isDisabled={coupon === null && code === ''}
      run={(quittance) => quittance.plans.attachCoupon(plan.id, coupon ?? code)}
    >
      <Select
        label={t('attach.coupon')}
        data={options}
        value={coupon}
        searchable
        clearable
        data-autofocus
        disabled={code !== ''}
        onChange={setCoupon}
      />
      <TextInput
        label={t('attach.code')}
        autoComplete="off"
        value={code}
        disabled={coupon !== null}
        onChange={(event) => setCode(event.currentTarget.value.trim())}
      />
    </ActionDialog>
  )
}

function DetachDialog({ plan, coupon, onClose }: DialogProps & { readonly coupon: PlanCoupon }) {
  const { t } = useTranslation('coupons')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger
      title={t('detach.title', { name: coupon.name })}
      confirmLabel={t('detach.confirm')}
      doneMessage={t('detach.done')}
      effect={t('detach.effect')}
      run={(quittance) => quittance.plans.detachCoupon(plan.id, coupon.id)}
    />
  )
}
