import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface OpenButtonProps {
  /** The area of the list, which has the text `open`. */
  readonly area: string
  readonly onOpen: () => void
}

/** Opens a row that has no page of its own. */
export function OpenButton({ area, onOpen }: OpenButtonProps) {
  const { t } = useTranslation(area)
  return (
    <Button size="compact-xs" variant="default" onClick={onOpen}>
      {t('open')}
    </Button>
  )
}
