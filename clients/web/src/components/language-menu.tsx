import { ActionIcon, Menu } from '@mantine/core'
import { CheckIcon } from '@primer/octicons-react/CheckIcon'
import { GlobeIcon } from '@primer/octicons-react/GlobeIcon'
import { language } from '../language/catalogue.ts'
import { isLanguage, keepLanguage, languages } from '../language/languages.ts'
import { t } from '../language/t.ts'

/** Chooses the language of the console; until it is used, the browser decides. The page is loaded again. */
export function LanguageMenu() {
  const choose = (tag: string) => {
    if (isLanguage(tag)) keepLanguage(tag)
    location.reload()
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('Language')}>
          <GlobeIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(languages).map(([tag, name]) => (
          <Menu.Item
            key={tag}
            lang={tag}
            aria-current={tag === language || undefined}
            rightSection={tag === language && <CheckIcon />}
            onClick={() => choose(tag)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
