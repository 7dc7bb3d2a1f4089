import { createTheme, type CSSVariablesResolver } from '@mantine/core'
import { t } from '../language/t.ts'

/** The list itself scrolls, which a screen reader takes for a part of the field. */
const choices = {
  defaultProps: { withScrollArea: false },
  styles: { options: { maxHeight: 220, overflowY: 'auto' } },
} as const

/** The theme of the console: the fonts of the system, and shades whose contrast is at least 4.5 to 1. */
export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 9 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '600' },
  components: {
    // With the placeholder, the focus would be on no item after a menu is opened by keyboard.
    Menu: {
      defaultProps: { withInitialFocusPlaceholder: false },
      styles: { dropdown: { maxWidth: 'calc(100vw - 1rem)' } },
    },
    Autocomplete: choices,
    MultiSelect: choices,
    Select: choices,
    // On a telephone a label takes two lines.
    SegmentedControl: { styles: { root: { maxWidth: '100%' }, label: { whiteSpace: 'normal' } } },
    TagsInput: choices,
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
    // On a telephone a whole commit id is wider than the page.
    Tooltip: {
      defaultProps: { multiline: true },
      styles: {
        tooltip: { width: 'max-content', maxWidth: 'calc(100vw - 1rem)', overflowWrap: 'anywhere' },
      },
    },
    // The keyboard scrolls a wide table too.
    TableScrollContainer: { defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } } },
  },
})

/** Mantine's dimmed and placeholder texts are too pale for small print. */
export const readableVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-9)',
    '--mantine-color-teal-light-color': '#05603f',
    '--mantine-color-orange-light-color': '#9c3606',
    '--mantine-color-cyan-light-color': '#095c6b',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-anchor': 'var(--mantine-color-cyan-4)',
  },
})
