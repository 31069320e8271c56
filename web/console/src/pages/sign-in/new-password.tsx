import { PasswordInput, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const MIN_PASSWORD_LENGTH = 12

interface NewPasswordProps {
  readonly value: string
  readonly onChange: (password: string) => void
}

export function NewPassword({ value, onChange }: NewPasswordProps) {
  const { t } = useTranslation('sign-in')
  return (
    <PasswordInput
      label={t('new_password')}
      description={<Text span>{t('password_rule', { length: MIN_PASSWORD_LENGTH })}</Text>}
      name="new-password"
      autoComplete="new-password"
      required
      withAsterisk={false}
      minLength={MIN_PASSWORD_LENGTH}
      visibilityToggleButtonProps={{ 'aria-label': t('show_password') }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
