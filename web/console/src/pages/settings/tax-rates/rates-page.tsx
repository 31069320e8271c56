import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { TextLink } from '#components/links.tsx'
import { ListPage } from '#components/list/list-page.tsx'
import { ImportDialog } from '#pages/settings/tax-rates/import-dialog.tsx'
import { NewRateDialog, RateDialog } from '#pages/settings/tax-rates/rate-dialogs.tsx'
import { rateList, type TaxRate } from '#pages/settings/tax-rates/rate-list.tsx'

export function RatesPage() {
  const { t } = useTranslation('tax-rates')
  const [open, setOpen] = useState<'new' | 'import' | { readonly rate: TaxRate }>()
  const list = useMemo(() => rateList((rate) => setOpen({ rate })), [])
  const close = () => setOpen(undefined)
  return (
    <>
      <ListPage
        list={list}
        actions={
          <>
            <TextLink to="/settings/exchange-rates">{t('exchange_rates')}</TextLink>
            <ActionButton scope="billing:write" onClick={() => setOpen('import')}>
              {t('import.button')}
            </ActionButton>
            <ActionButton scope="billing:write" variant="filled" onClick={() => setOpen('new')}>
              {t('new.button')}
            </ActionButton>
          </>
        }
      />
      {open === 'new' && <NewRateDialog onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
      {typeof open === 'object' && <RateDialog rate={open.rate} onClose={close} />}
    </>
  )
}
