# The tour of a user through the client that OpenAPI::Client generates from the document.
use strict;
use warnings;
use Digest::MD5 'md5_hex';
use File::Temp 'tempdir';
use Mojo::JSON 'encode_json';

# JSON::Validator compares the document with the schema of OpenAPI, which it would read from the internet.
# It looks into this folder first: a schema that allows every object takes its place, so the structure of the
# document is not checked here. test/rest/openapi.test.ts lints it.
BEGIN {
  my $cache = $ENV{JSON_VALIDATOR_CACHE_PATH} = tempdir(CLEANUP => 1);
  my $schema = 'https://spec.openapis.org/oas/3.1/schema/2021-05-20';
  open my $file, '>', "$cache/" . md5_hex $schema or die $!;
  print {$file} encode_json {'$id' => $schema, type => 'object'};
  close $file;
}
use OpenAPI::Client;

my ($url, $token) = @ARGV;
my $client = OpenAPI::Client->new("$url/api/v4/openapi.json");
$client->ua->on(start => sub { $_[1]->req->headers->header('Private-Token' => $token) });

# The JSON of a response; dies for an error, also if the client refuses the request.
sub result {
  my ($operation, @input) = @_;
  my $tx = $client->call($operation, @input);
  die "$operation: " . $tx->res->code . ' ' . $tx->res->body if $tx->error;
  return $tx->res->json;
}

my $group   = result(createGroup => {}, json => {name => 'Builders', path => 'builders'});
my $project = result(createProject => {},
  json => {name => 'App', namespace_id => $group->{id}, visibility => 'private'});
my %in = (id => $project->{id});

result(commitNewFile => {%in, file_path => 'docs/README.md'},
  json => {branch => 'master', content => "# App\n", commit_message => 'Add README'});
my $branch = result(createBranchOfRepository => {%in}, json => {branch => 'topic', ref => 'master'});
my $commit = result(commitChangesToFiles => {%in}, json => {
  branch         => $branch->{name},
  commit_message => 'Explain the start',
  actions => [{action => 'update', file_path => 'docs/README.md', content => "npm start\n"}],
});
my $label = result(createLabelOfProject => {%in}, json => {name => 'documentation', color => '#428bca'});
result(createIssue => {%in}, json => {title => 'Where to start?', labels => [$label->{name}]});
my $issue = result(createIssue => {%in}, json => {title => 'How to start?', labels => [$label->{name}]});
result(createNoteOfIssue => {%in, issue_iid => $issue->{iid}}, json => {body => 'See the branch.'});
my $request = result(createMergeRequest => {%in}, json => {
  title => 'Explain the start', source_branch => 'topic', target_branch => 'master',
  description => "Closes #$issue->{iid}",
});
my $merged = result(mergeMergeRequest => {%in, merge_request_iid => $request->{iid}},
  json => {sha => $commit->{id}});

my @pages = map {
  $client->call(listIssuesOfProject => {%in, per_page => 1, page => $_, labels => ['documentation']});
} 1, 2;
my $missing = $client->call(showProject => {id => 'builders/none'});
my $refused = $client->call(createBranchOfRepository => {%in}, json => {branch => 'other'});

print encode_json {
  project => $project->{path_with_namespace},
  merged  => $merged->{state},
  listed  => [map { map { {title => $_->{title}, state => $_->{state}} } @{$_->res->json} } @pages],
  total   => $pages[0]->res->headers->header('X-Total'),
  missing => 0 + $missing->res->code,
  refused => $refused->res->json->{errors}[0]{path},
};
