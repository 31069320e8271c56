import { ActionIcon, AppShell, Burger, Group, ScrollArea, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHelp, IconSearch } from '#components/icons.tsx'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { SERVICE_URL } from '#app/base-path.ts'
import { ClockNote } from '#app/clock-note.tsx'
import { Keyboard } from '#app/keyboard.tsx'
import { NavigationGroups } from '#app/navigation-groups.tsx'
import { openPalette } from '#app/palette-store.ts'
import { PlaceSwitch } from '#app/place-switch.tsx'
import { useShell } from '#app/shell-context.ts'
import { UserMenu } from '#app/user-menu.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import classes from './shell.module.css'

export function Shell() {
  const { t } = useTranslation()
  const { api } = useShell()
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const main = useRef<HTMLDivElement>(null)
  const lastPath = useRef(path)
  // An effect after the paint would take the focus from a user who is already on the new page.
  useLayoutEffect(() => {
    close()
    // Screen readers begin at the new page, as after a page load.
    if (lastPath.current !== path) main.current?.focus({ preventScroll: true })
    lastPath.current = path
  }, [path, close])
  const isTest = api.environment === 'test'
  return (
    <AppShell
      header={{ height: isTest ? 78 : 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      classNames={{ navbar: classes.navbar, header: classes.header, main: classes.main }}
    >
      <AppShell.Header>
        <a className="skip-link" href="#main">
          {t('shell.skip')}
        </a>
        {isTest && (
          <div className={classes.testBanner} role="note">
            <Text span inherit visibleFrom="sm">
              <ClockNote /> {t('shell.test_banner')}
            </Text>
            <Text span inherit hiddenFrom="sm">
              {t('shell.test_banner_short')} <ClockNote isShort />
            </Text>
          </div>
        )}
        <Group h={56} px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t(isOpen ? 'shell.close_menu' : 'shell.open_menu')}
              aria-expanded={isOpen}
              aria-controls="navigation"
            />
            <PlaceSwitch />
          </Group>
          <UnstyledButton
            className={classes.search}
            onClick={openPalette}
            aria-keyshortcuts="/ Control+K Meta+K"
            aria-label={t('shell.search')}
          >
            <IconSearch size={16} aria-hidden />
            <Text span size="sm" c="dimmed" visibleFrom="sm" flex={1}>
              {t('shell.search')}
            </Text>
            <Text span size="xs" c="dimmed" visibleFrom="sm" aria-hidden>
              /
            </Text>
          </UnstyledButton>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              component="a"
              href={`${SERVICE_URL}/guide/for${path}`}
              target="_blank"
              rel="noopener"
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('shell.help')}
              title={t('shell.help')}
            >
              <IconHelp size={24} stroke={1.5} aria-hidden />
            </ActionIcon>
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar id="navigation" aria-label={t('shell.navigation')}>
        <ScrollArea type="hover" scrollbarSize={6} p="xs">
          <NavigationGroups />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" ref={main} tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Keyboard />
    </AppShell>
  )
}
