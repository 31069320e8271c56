import { TextInput } from '@mantine/core'
import type { Card } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { brandName } from '#components/brand-name.ts'
import { type CardChange, statusAfter } from '#pages/cards/card.ts'

interface CardStatusDialogProps {
  readonly card: Card
  readonly change: CardChange
  readonly onClose: () => void
}

export function CardStatusDialog({ card, change, onClose }: CardStatusDialogProps) {
  const { t } = useTranslation('cards')
  const [remark, setRemark] = useState('')
  const number = `${brandName(card.issuer_brand)} •••• ${card.last_4_digits}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      isDanger={change === 'terminate'}
      title={t(`${change}.title`)}
      confirmLabel={t(`${change}.button`)}
      doneMessage={t(`${change}.done`)}
      effect={t(`${change}.effect`, { card: number })}
      run={(quittance) =>
        quittance.cards.setStatus(card.id, { status: statusAfter(change), ...(remark !== '' && { remark }) })
      }
    >
      <TextInput
        label={t('remark')}
        description={t('remark_hint')}
        value={remark}
        maxLength={255}
        data-autofocus
        onChange={(event) => setRemark(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}
