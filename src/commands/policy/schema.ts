import { GovCommand } from '../../cli/gov-command.ts';
import { policySchema } from '../../rulebook/json-schema.ts';

export default class PolicySchema extends GovCommand {
  static override summary = 'Print the JSON Schema of policy files, for editors.';
  static override description =
    'With the YAML language server put `# yaml-language-server: $schema=PATH` at the top of a file.';
  static override examples = ['<%= config.bin %> policy schema > gov-policy.schema.json'];

  async run(): Promise<Readonly<Record<string, unknown>>> {
    await this.parse(PolicySchema);
    const schema = policySchema();
    this.say(JSON.stringify(schema, null, 2));
    return schema;
  }
}
