import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { formOf } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { adminGet, adminPost } from './admin-pages.ts';
import {
  inputOf,
  type SettingInput,
  settingControl,
  storedInput,
  valuesOf,
} from './setting-controls.ts';
import { type SettingSection, settingSections } from './setting-fields.ts';

const Settings = graphql(`
  query AdminSettings {
    admin {
      applicationSettings {
        signupEnabled domainWhitelist domainBlacklistEnabled domainBlacklist defaultProjectsLimit
        passwordAuthenticationEnabled sessionExpireDelay signInText homePageUrl afterSignOutPath
        defaultProjectVisibility defaultGroupVisibility defaultSnippetVisibility
        restrictedVisibilityLevels defaultBranchProtection
        maxAttachmentSize maxArtifactsSize maxLfsObjectSize defaultArtifactsExpireIn
        enabledGitAccessProtocol rsaKeyRestriction dsaKeyRestriction ecdsaKeyRestriction
        ed25519KeyRestriction repositoryStorages avatarServiceEnabled userOauthApplications
      }
    }
  }
`);

const Update = graphql(`
  mutation AdminUpdateSettings($settings: ApplicationSettingsChange!) {
    updateApplicationSettings(settings: $settings) { id }
  }
`);

type Change = VariablesOf<typeof Update>['settings'];

const path = '/admin/application_settings';

/** A section whose form failed, with its input and errors. */
interface Failed {
  readonly section: SettingSection;
  readonly input: SettingInput;
  readonly fault: Fault;
}

async function settingsPage(visit: Visit, failed?: Failed): Promise<ShownPage> {
  const { admin } = await visit.ask(Settings, {});
  if (!admin) throw pathNotFound();
  const stored = admin.applicationSettings;
  return adminPage(visit, {
    section: path,
    title: 'Settings',
    status: failed?.fault.status,
    main: html`${settingSections.map((section) => {
      const own = failed?.section === section ? failed : null;
      return sectionForm(visit, section, own?.input ?? storedInput(section, stored), own?.fault);
    })}
<h2 id="hooks">System hooks</h2>
<p><a href="${visit.url('/admin/hooks')}">System hooks</a> notify your programs of events in the whole
instance: new projects, users and members, and pushes.</p>`,
  });
}

const sectionForm = (
  visit: Visit,
  section: SettingSection,
  input: SettingInput,
  fault: Fault | undefined,
) => html`<section aria-labelledby="${section.word}">
<h2 id="${section.word}">${section.title}</h2>
<p class="quiet">${section.text}</p>
${formOf(
  visit,
  { address: visit.url(`${path}/${section.word}`), submit: 'Save changes' },
  html`${faultAlert(
    fault,
    section.fields.map(({ name }) => name),
  )}
${section.fields.map((field) => settingControl(field, input[field.name] ?? [], fault?.fields ?? {}))}`,
)}
</section>`;

function update(visit: Visit): Promise<Answer> {
  const section = settingSections.find(({ word }) => word === visit.params.section);
  if (!section) throw pathNotFound();
  const input = inputOf(section, visit);
  const again = (fault: Fault) => settingsPage(visit, { section, input, fault });
  const { values, faults } = valuesOf(section, input);
  if (Object.keys(faults).length > 0) return again({ status: 422, text: null, fields: faults });
  return orFault(
    visit,
    async () => {
      // the table of fields has the names of the core
      await visit.ask(Update, { settings: values as Change });
      return saved(visit.url(path));
    },
    again,
  );
}

export const settingsPages: readonly Page[] = [
  adminGet(path, (visit) => settingsPage(visit)),
  adminPost(`${path}/:section`, update),
];
