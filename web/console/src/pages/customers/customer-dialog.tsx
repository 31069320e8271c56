import { Group, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Customer } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'

interface CustomerDialogProps {
  /** Without one the dialog creates a customer. */
  readonly customer?: Customer
  readonly onClose: () => void
}

const OPTIONAL = ['email', 'company_name'] as const

export function CustomerDialog({ customer, onClose }: CustomerDialogProps) {
  const { t } = useTranslation('customers')
  const navigate = useNavigate()
  const [values, setValues] = useState({
    reference_number: '',
    name: customer?.name ?? '',
    dial_code: customer?.dial_code ?? '',
    phone: customer?.phone ?? '',
    email: customer?.email ?? '',
    company_name: customer?.company_name ?? '',
  })
  const field = (name: keyof typeof values, maxLength = 255) => ({
    label: t(`column.${name}`),
    value: values[name],
    maxLength,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setValues((before) => ({ ...before, [name]: value }))
    },
  })
  const { reference_number, name, phone, dial_code } = values
  const isComplete = name !== '' && phone !== '' && (customer !== undefined || reference_number !== '')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(customer === undefined ? 'new.title' : 'edit.title')}
      confirmLabel={t(customer === undefined ? 'new.confirm' : 'edit.confirm')}
      isDisabled={!isComplete}
      doneMessage={t(customer === undefined ? 'new.done' : 'edit.done')}
      run={(quittance) => {
        if (customer === undefined) {
          const optional = [...OPTIONAL, 'dial_code' as const].filter((one) => values[one] !== '')
          const rest = Object.fromEntries(optional.map((one) => [one, values[one]]))
          return quittance.customers.create({ reference_number, name, phone, ...rest })
        }
        const { email, company_name } = values
        return quittance.customers.update(customer.uuid, { name, phone, dial_code, email, company_name })
      }}
      onDone={(saved) => {
        if (customer === undefined) void navigate({ to: '/customers/$uuid', params: { uuid: saved.uuid } })
      }}
    >
      <TextInput {...field('name')} required data-autofocus />
      {customer === undefined && (
        <TextInput {...field('reference_number')} required description={t('new.reference_hint')} />
      )}
      <Group grow align="flex-end" preventGrowOverflow={false}>
        <TextInput {...field('dial_code', 6)} placeholder="+852" w={96} flex="none" />
        <TextInput {...field('phone')} required inputMode="tel" />
      </Group>
      <TextInput {...field('email')} type="email" />
      <TextInput {...field('company_name')} />
    </ActionDialog>
  )
}
