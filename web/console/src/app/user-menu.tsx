import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconLogout, IconUser, IconUserCircle } from '#components/icons.tsx'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callSession } from '#app/session-api.ts'
import { changeLanguage, LANGUAGES, type Language } from '#app/i18n.ts'
import { forgetSession } from '#app/session.ts'
import { useShell } from '#app/shell-context.ts'

const THEMES = ['light', 'dark', 'auto'] as const

export function UserMenu() {
  const { t, i18n } = useTranslation()
  const { session } = useShell()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const check = (isChosen: boolean) => isChosen && <IconCheck size={16} aria-hidden />
  const signOut = async () => {
    await callSession('POST', '/auth/sign-out')
    forgetSession()
    await navigate({ to: '/sign-in', search: {} })
  }
  return (
    <Menu position="bottom-end" width={240} closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('user.menu')}>
          <IconUserCircle size={24} stroke={1.5} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text span size="sm" fw={600} c="var(--mantine-color-text)" display="block" truncate>
            {session.user.name}
          </Text>
          {session.user.email}
        </Menu.Label>
        <Menu.Item
          renderRoot={(props) => <Link to="/account" {...props} />}
          leftSection={<IconUser size={16} aria-hidden />}
          closeMenuOnClick
        >
          {t('user.account')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('user.theme')}</Menu.Label>
        {THEMES.map((theme) => (
          <Menu.Item
            key={theme}
            role="menuitemradio"
            aria-checked={colorScheme === theme}
            rightSection={check(colorScheme === theme)}
            onClick={() => setColorScheme(theme)}
          >
            {t(`user.${theme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('user.language')}</Menu.Label>
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <Menu.Item
            key={language}
            role="menuitemradio"
            lang={language}
            aria-checked={i18n.language === language}
            rightSection={check(i18n.language === language)}
            onClick={() => void changeLanguage(language as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void signOut()}
          closeMenuOnClick
        >
          {t('user.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
