import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Product } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'

interface ProductDialogProps {
  /** Without one the dialog creates a product. */
  readonly product?: Product
  readonly onClose: () => void
}

export function ProductDialog({ product, onClose }: ProductDialogProps) {
  const { t } = useTranslation('products')
  const navigate = useNavigate()
  const [values, setValues] = useState({
    name: product?.name ?? '',
    description: product?.description ?? '',
    unit_label: product?.unit_label ?? '',
    reference_id: '',
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
  const { name, description, unit_label, reference_id } = values
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t(product === undefined ? 'new.title' : 'edit.title')}
      confirmLabel={t(product === undefined ? 'new.confirm' : 'edit.confirm')}
      isDisabled={name.trim() === ''}
      doneMessage={t(product === undefined ? 'new.done' : 'edit.done')}
      run={(quittance) => {
        if (product === undefined) {
          const texts = Object.entries({ description, unit_label, reference_id }).filter(
            ([, text]) => text !== '',
          )
          return quittance.products.create({ name, ...Object.fromEntries(texts) })
        }
        const edit = { name, description: description || null, unit_label: unit_label || null }
        return quittance.products.update(product.id, edit)
      }}
      onDone={({ id }) => {
        if (product === undefined) void navigate({ to: '/products/$id', params: { id } })
      }}
    >
      <TextInput {...field('name')} required data-autofocus />
      <Textarea {...field('description', 4096)} autosize minRows={2} />
      <TextInput {...field('unit_label')} placeholder={t('new.unit_hint')} />
      {product === undefined && (
        <TextInput {...field('reference_id')} description={t('new.reference_hint')} />
      )}
    </ActionDialog>
  )
}
