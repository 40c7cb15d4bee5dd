import { Module } from '@nestjs/common';
import type { NewTenant } from '#tenancy/tenant.store.js';
import { ChangeTools, ExtraPrompts, ExtraTools } from './fixture/change.tools.js';
import { ContentTools } from './fixture/content.tools.js';
import { Prompts } from './fixture/prompts.js';
import { QuestionTools } from './fixture/question.tools.js';
import { Resources } from './fixture/resources.js';
import { RoundTools } from './fixture/round.tools.js';

/**
 * What the official conformance suite expects of a server, written with what authors have. The names, and what is answered
 * under them, are prescribed in the text of each scenario (`conformance list`). One tool it wants for 2025-11-25 is not
 * here: `test_reconnection` closes its own stream in the middle of a call, which no handler can.
 */
@Module({
  providers: [ContentTools, QuestionTools, RoundTools, Resources, Prompts, ChangeTools, ExtraTools, ExtraPrompts],
})
export class FixtureModule {}

/** The tenant that serves it. The suite sends no token, so it is open; the extra modules come and go as it runs. */
export const FIXTURE_TENANT: NewTenant = {
  slug: 'conformance',
  title: 'Conformance',
  access: 'open',
  activations: ['changes', 'content', 'prompts', 'questions', 'resources', 'rounds'].map((name) => ({
    module: `conformance-${name}`,
    configuration: {},
  })),
};
