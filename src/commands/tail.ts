import AuditTail from './audit/tail.ts';

export default class Tail extends AuditTail {
  static override summary = 'Watch what agents do, as it happens; s stops them all.';
  static override examples = ['<%= config.bin %> tail', '<%= config.bin %> tail --decision blocked'];

  override async run(): ReturnType<AuditTail['run']> {
    const { flags } = await this.parse(Tail);
    return this.tail(flags, !this.jsonEnabled());
  }
}
