import {
  createTheme,
  type CSSVariablesResolver,
  localStorageColorSchemeManager,
  type MantineColorSchemeManager,
} from '@mantine/core'
import i18next from 'i18next'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang TC", "PingFang SC", "Microsoft JhengHei", "Microsoft YaHei", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem', lineHeight: '1.3' }, h2: { fontSize: '1.1rem', lineHeight: '1.4' } },
  },
  components: {
    Notification: {
      defaultProps: {
        closeButtonProps: {
          // Read whenever a notification is shown, in the current language.
          get 'aria-label'() {
            return i18next.t('close')
          },
        },
      },
    },
    Modal: { defaultProps: { centered: true } },
    // A list that opens with the focus would cover the dialog whose first field it is.
    Select: { defaultProps: { openOnFocus: false } },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } } },
  },
})

/** Mantine's own colours of secondary text have less contrast than the 4.5:1 of WCAG AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#565e66',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': '#c92a2a',
    '--console-surface': '#ffffff',
    '--console-canvas': '#f8f9fa',
    '--console-line': '#e3e6ea',
    '--console-hover': '#f3f5f9',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a9ad',
    '--mantine-color-placeholder': '#a3a7ab',
    '--mantine-color-error': '#ff8787',
    '--console-surface': '#1f2023',
    '--console-canvas': '#17181a',
    '--console-line': '#36383c',
    '--console-hover': '#2a2c30',
  },
})

/** index.html reads the same key before the first paint. */
export const colorSchemeManager: MantineColorSchemeManager = localStorageColorSchemeManager({
  key: 'quittance.theme',
})
