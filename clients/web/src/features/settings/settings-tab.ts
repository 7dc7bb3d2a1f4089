import { t } from '../../language/t.ts'
/** The parts of the settings, as the address names them. */
export const settingsTabs = {
  repositories: t('Repositories'),
  projects: t('Projects'),
  accounts: t('Accounts'),
  plugins: t('Plugins'),
  rights: t('Rights'),
  policy: t('Policy'),
  checks: t('Checks'),
  about: t('About'),
} as const

/** A part of the settings. */
export type SettingsTab = keyof typeof settingsTabs

/** Returns true if a text names a part of the settings. */
export function isSettingsTab(text: unknown): text is SettingsTab {
  return typeof text === 'string' && Object.hasOwn(settingsTabs, text)
}

/** Reads the part of the settings from the address; repositories are not named. */
export function readSettingsTab({ tab }: Record<string, unknown>): { tab?: SettingsTab | undefined } {
  return { tab: isSettingsTab(tab) && tab !== 'repositories' ? tab : undefined }
}
