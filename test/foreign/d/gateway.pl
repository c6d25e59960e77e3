#!/usr/bin/perl
# A small model gateway in one select loop: perl gateway.pl --port 0 [--fault N] [--truth FILE] [--seed N]
use strict; use warnings; use FindBin; use Getopt::Long; use IO::Handle; use IO::Select; use IO::Socket::INET;
use JSON::PP; use List::Util qw(min max sum0); use POSIX qw(strftime); use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes ();
my ($port, $fault, $truth_file, $seed) = (0);
GetOptions('port=i' => \$port, 'fault=i' => \$fault, 'truth=s' => \$truth_file, 'seed=i' => \$seed) or die "options?\n";
defined $seed ? srand($seed) : srand();
# ---- tariff: USD per 1,000 tokens of INPUT, CACHED (undef: no cache), OUTPUT; is the channel unsteady? ----
my @TARIFF = (
    ['ledger-70',     '0.0030000', '0.0003000', '0.0150000', 0],
    ['ledger-8',      '0.0004000', '0.0001000', '0.0016000', 0],
    ['carbon-copy-2', '0.0011000', undef,       '0.0044000', 0],
    ['matrix-24',     '0.0001500', undef,       '0.0006000', 0],
    ['drum-line-1',   '0.0007000', undef,       '0.0021000', 1],
);
our @NAMES = map { $_->[0] } @TARIFF;
my %MODEL = map { ($_->[0] => { cache => $_->[2], flaky => $_->[4], price => [map { e7($_) } @$_[1 .. 3]] }) } @TARIFF;
my ($BOOK, $VERSION, $DEFAULT_MAX, $PAGE_LINES, $CAP, $MAX_BODY) = ('PB0007', '7.02', 512, 60, 80, 1 << 20);
my @WORDS = qw(the host keeps a line of type for every page and prints it at night when old drums turn slow);
my ($YES, $NO, $INVALID) = (JSON::PP::true, JSON::PP::false, 'invalid_request_error');
# ---- money: whole ticks of 0.00000025 USD; no float comes near it ----
sub e7 { my ($whole, $part) = split /\./, $_[0] // '0.0'; return $whole * 10_000_000 + $part }  # "0.0030000" -> 30000
sub usd { use integer;       # as the printer does it: 5 digits, point, 8 digits, zero filled, a minus sign behind
    my $e8 = abs($_[0]) * 25;
    return sprintf '%05d.%08d%s', $e8 / 100_000_000, $e8 % 100_000_000, $_[0] < 0 ? '-' : ''; }
sub charge { use integer;    # tokens x price is in 0.0000000001 USD; 2,500 of those are a tick; a tick begun is a tick
    my ($model, $in, $cached, $out) = @_;
    my $price = $MODEL{$model}{price};
    return ($in * $price->[0] + $cached * $price->[1] + $out * $price->[2] + 2499) / 2500; }
# ---- books ----
our ($HELD, %HOOK, @JOURNAL) = (0);
my ($balance, $used, $posted, $flying, $serial, $truth, @open) = (100 * 4_000_000, 0, 0, 0, 0);
my $JSON = JSON::PP->new->utf8->canonical->allow_nonref;
my ($key, $token, $user) = ('sk-east-' . letters(32), 'acct' . letters(28), 10000 + int rand 80000);
if ($truth_file) { open $truth, '>>', $truth_file or die "$truth_file: $!\n"; $truth->autoflush(1) }
sub letters { return join '', map { ('a' .. 'z', 0 .. 9)[rand 36] } 1 .. $_[0] }
sub new_rid { return sprintf 'R%s%06d%s', strftime('%Y%m%d%H%M%S', gmtime), ++$serial, letters(5) }
sub truth { print {$truth} $JSON->encode({@_}), "\n" if $truth }
sub slip {    # a line of the journal, written when the call has ended; it waits "open" for the billing run
    my $no = @JOURNAL + 1;    # given: rid kind model result in cached out reserve
    my $r = { @_, no => $no, id => sprintf('J%08d', $no), at => time, status => 'open', amount => 0, refunded => 0 };
    $r->{due} //= charge(@$r{qw(model in cached out)});
    push @$_, $r for \@JOURNAL, \@open;
    $HOOK{slip}->($r) if $HOOK{slip}; }
sub billing_run {
    for my $r (splice @open) {
        $r->{amount} = charge(@$r{qw(model in cached out)});
        $HOOK{post}->($r) if $HOOK{post};
        $r->{refunded} = max(0, $r->{reserve} - $r->{amount});
        $r->{status} = $r->{result} eq 'failed' ? 'voided' : 'settled';
        $balance -= $r->{amount}; $used += $r->{amount}; $HELD -= $r->{reserve}; $posted++;
        next if $r->{status} eq 'voided' or $r->{silent};
        my %sums = (charged_usd => usd($r->{charged} // $r->{amount}), due_usd => usd($r->{due}));
        truth(request_id => $r->{rid}, model => $r->{model}, kind => $r->{kind}, %sums);
        truth(fault => $r->{fault}, request_id => $r->{rid}, %sums) if $r->{fault} } }
# ---- connections ----
my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 256, ReuseAddr => 1);
my ($RD, %conn, @timer) = (IO::Select->new($listen // die "cannot listen: $@\n"));
sub now { return Time::HiRes::time() }
sub after { my ($s, $do) = @_; @timer = sort { $a->[0] <=> $b->[0] } @timer, [now() + $s, $do] }
sub hang_up { my ($c) = @_;
    return if $c->{gone}++;
    $RD->remove($c->{fh}); delete $conn{ fileno $c->{fh} }; close $c->{fh}; }
sub put { my ($c, $bytes) = @_;
    while (!$c->{gone} and length $bytes) {
        my $n = syswrite($c->{fh}, $bytes) or hang_up($c);
        substr $bytes, 0, $n // 0, '' } }
sub head { my ($c, $status, $type, @more) = @_;
    unshift @more, "HTTP/1.1 $status -", "Content-Type: $type", "X-Request-Id: $c->{rid}", 'Connection: close';
    return join '', map { "$_\r\n" } @more, ''; }
sub reply { my ($c, $status, $data, @more) = @_;
    my $body = $JSON->encode($data);
    put($c, head($c, $status, 'application/json', 'Content-Length: ' . length $body, @more) . $body);
    hang_up($c); }
sub failure { my ($c, $status, $code, $type, $message) = @_;
    my $error = { message => "$message (request id: $c->{rid})", type => $type, code => $code };
    reply($c, $status, { error => $error }, $status == 429 ? 'Retry-After: 1' : ()); }
sub take { my ($c) = @_;    # bytes from a client; the request is served when its body is complete
    my $n = sysread $c->{fh}, $c->{in}, 65536, length $c->{in};
    return hang_up($c) if !$n or length $c->{in} > 64 << 20;
    if (!$c->{h}) {
        my $end = index $c->{in}, "\r\n\r\n";
        return if $end < 0;
        my ($first, @lines) = split /\r\n/, substr $c->{in}, 0, $end + 4, '';
        @$c{qw(method target)} = (split(/ /, $first // ''), '-', '/')[0, 1];
        $c->{h} = { map { /^([^:]+):\s*(.*?)\s*$/ ? (lc $1, $2) : () } @lines } }
    return if length $c->{in} < ($c->{h}{'content-length'} // 0);
    $RD->remove($c->{fh}); dispatch($c); }
# ---- routes ----
my %KIND = ('/v1/chat/completions' => 'chat', '/v1/responses' => 'responses', '/v1/messages' => 'messages');
sub dispatch { my ($c) = @_;
    my ($path, $query) = split /\?/, $c->{target} // '/', 2;
    my ($route, $sent) = ("$c->{method} $path", ($c->{h}{authorization} // '') =~ /^Bearer\s+(\S+)/i);
    $c->{rid} = new_rid();
    return reply($c, 200, book()) if $route eq 'GET /pricing.usd.json';
    return account($c, $route, $sent // '') if $path =~ m{^/api/};
    $sent //= $c->{h}{'x-api-key'} if $path eq '/v1/messages';
    if ($route ne 'GET /v1/models' or defined $sent) {
        my $west = 'This key is of our west site; create one on this site';
        return failure($c, 403, 'key_site_mismatch', 'new_api_error', $west) if ($sent // '') =~ /^sk-west-/;
        return failure($c, 401, '', 'new_api_error', 'Invalid token') if ($sent // '') ne $key }
    my @list = map { { id => $_, object => 'model', created => 852076800, owned_by => 'the-house' } } @NAMES;
    return reply($c, 200, { object => 'list', data => \@list }) if $route eq 'GET /v1/models';
    return usage($c, $query // '', $1) if $route =~ m{^GET /v1/usage(/requests)?$};
    return text_call($c, $KIND{$path}) if $KIND{$path} and $c->{method} eq 'POST';
    failure($c, 404, '', $INVALID, 'No such route here'); }
sub account { my ($c, $route, $sent) = @_;
    my @no = $route ne 'GET /api/user/self' ? (404, 'No such route')
        : $sent ne $token ? (401, 'System access token missing or not valid')
        : ($c->{h}{'new-api-user'} // '') ne $user ? (401, 'New-Api-User missing or not the owner of the token') : ();
    return reply($c, $no[0], { success => $NO, message => $no[1] }) if @no;
    my %data = (id => 0 + $user, quota => $balance, used_quota => $used, request_count => $posted);
    reply($c, 200, { success => $YES, data => \%data }); }
sub book {
    my @rows = map { my $t = $_; map { [$t->[0], (qw(- INPUT CACHED OUTPUT))[$_], $t->[$_]] } 1 .. 3 } @TARIFF;
    return { sheet => 'TARIFF', pricebook_id => $BOOK, pricing_version => $VERSION, currency => 'USD',
        columns => [qw(MODEL METER USD_PER_1000_TOKENS)], rows => [grep { defined $_->[2] } @rows], adjustments => [],
        meters => { INPUT => 'input_tokens', CACHED => 'cache_read_tokens (not in INPUT)', OUTPUT => 'output_tokens' },
        rounding => { step_usd => usd(1), direction => 'up', applied => 'once, on the sum of a call' } }; }
# ---- usage reads ----
sub wrong_query { my ($q) = @_;    # empty values count as not given
    delete @$q{ grep { $q->{$_} eq '' } keys %$q };
    my @low = grep { exists $q->{$_} and $q->{$_} !~ /^[0-9]{1,18}$/ || $q->{$_} < 1 } qw(start_time end_time limit);
    return "$low[0] must be a whole number, at least 1" if @low;
    return 'model may have 191 characters, request_id 64' if length($q->{model} // '') > 191
        or length($q->{request_id} // '') > 64;
    return 'before is no cursor of ours' if ($q->{before} // 0) !~ /^[0-9]{1,8}$/;
    $q->{end_time} //= time;
    $q->{start_time} //= max(1, $q->{end_time} - 30 * 86400);
    $q->{request_id} =~ s/^F/R/ if exists $q->{request_id};    # the funding receipt of request R... is F...
    return 'start_time must lie before end_time' if $q->{start_time} >= $q->{end_time};
    return $q->{end_time} - $q->{start_time} > 31 * 86400 ? 'the window may have 31 days' : undef; }
sub totals {
    my @waiting = grep { $_->{status} eq 'open' } @_;
    return { settled_amount => sum0(map { $_->{amount} } @_), pending_amount => sum0(map { $_->{reserve} } @waiting),
        refunded_amount => sum0(map { $_->{refunded} } @_), records => 0 + @_, unknown_records => 0 + @waiting }; }
sub usage { my ($c, $query, $pages) = @_;
    my %q = map { /^([^=]*)=?(.*)$/ } map { tr/+/ /; $_ } split /&/, $query;
    s/%([0-9a-f]{2})/chr hex $1/gie for values %q;
    if (my $error = wrong_query(\%q)) { return failure($c, 400, '', $INVALID, $error) }
    my @lines = grep { $_->{at} >= $q{start_time} && $_->{at} < $q{end_time}
        && $_->{model} eq ($q{model} // $_->{model}) && $_->{rid} eq ($q{request_id} // $_->{rid}) } @JOURNAL;
    my @frame = (currency => 'USD', map { $_ => 0 + $q{$_} } qw(start_time end_time));
    return reply($c, 200, { @frame, page(\%q, @lines) }) if $pages;
    my (%model, %day);
    for (@lines) { push @{ $model{ $_->{model} } }, $_; push @{ $day{ strftime '%Y-%m-%d', gmtime $_->{at} } }, $_ }
    my $all = totals(@lines);
    my @by_model = map { { model => $_, %{ totals(@{ $model{$_} }) } } } sort keys %model;
    my @daily = map { { date => $_, %{ totals(@{ $day{$_} }) } } } sort keys %day;
    $HOOK{totals}->(@by_model) if $HOOK{totals};
    for my $t ($all, @by_model, @daily) { $t->{$_} = usd($t->{$_}) for grep { /_amount/ } keys %$t }
    reply($c, 200, { @frame, %$all, by_model => \@by_model, daily => \@daily }); }
sub page { my ($q, @lines) = @_;
    @lines = reverse grep { $_->{no} < ($q->{before} // 1e9) } @lines;    # newest first
    @lines = $HOOK{lines}->(@lines) if $HOOK{lines};
    my @page = splice @lines, 0, min($q->{limit} // $PAGE_LINES, $PAGE_LINES);
    my $next = @lines ? sprintf '%08d', $page[-1]{no} : '';
    $next = $HOOK{page}->($next, $q, \@page, \@lines) if $HOOK{page};
    return (data => [map { record($_) } @page], next_cursor => $next, has_more => $next eq '' ? $NO : $YES); }
sub record { my ($r) = @_;
    return { usage_estimated => $r->{result} eq 'broken' ? $YES : $NO, id => $r->{id}, request_id => $r->{rid},
        created_at => $r->{at}, model => $r->{model}, result => $r->{result}, billing_status => $r->{status},
        amount => usd($r->{amount}), reserved_amount => usd($r->{reserve}), refunded_amount => usd($r->{refunded}),
        input_tokens => $r->{in}, output_tokens => $r->{out}, cache_read_tokens => $r->{cached},
        cache_write_tokens => 0, pricebook_id => $BOOK, pricing_version => $VERSION }; }
# ---- text calls; a token is four characters begun, of a text or of the JSON of anything else ----
sub count { my ($v) = @_; return int((length(ref $v ? $JSON->encode($v) : $v // '') + 3) / 4) }
sub check { my ($call, $body) = @_;    # nothing when the call may run, else status, code, type, message; fills the call
    my ($kind, @bad) = ($call->{kind}, 400, '', $INVALID);
    return 413, '', $INVALID, 'The body is larger than 1 MiB' if length $body > $MAX_BODY;
    my $q = eval { $JSON->decode($body) };
    return @bad, 'The body is not a JSON object' if ref $q ne 'HASH';
    my ($model, $text) = ($q->{model} // '', $kind eq 'responses' ? $q->{input} : $q->{messages});
    return @bad, 'model is required, as a string' if ref $model or $model eq '';
    return 404, 'model_not_found', $INVALID, "The model $model is not on the list of this key" if !$MODEL{$model};
    $text = [{ role => 'user', content => $text }] if $kind eq 'responses' and defined $text and !ref $text;
    return @bad, 'The list of messages (or input) is missing or empty' if ref $text ne 'ARRAY' or !@$text;
    my @odd = grep { ref ne 'HASH' or $kind ne 'responses' && (ref($_->{role} // []) || !exists $_->{content}) } @$text;
    return @bad, 'Every message needs a role and a content' if @odd;
    my @max = grep { defined } @$q{qw(max_tokens max_completion_tokens max_output_tokens)};
    return @bad, 'max_tokens is required' if $kind eq 'messages' and !defined $q->{max_tokens};
    return @bad, 'The token limit must be an integer from 1 to 999999999' if grep { !/^[1-9][0-9]{0,8}$/ } @max;
    my @counted = (@$q{qw(system instructions tools)}, map { $_->{content} // $_ } @$text);
    my $in = sum0(3 + 4 * @$text, map { count($_) } @counted);    # 3 a call and 4 a message on top
    my $reserve = charge($model, $in, 0, min(@max) // $DEFAULT_MAX);
    %$call = (%$call, model => $model, in => $in, max => min(@max), stream => $q->{stream}, reserve => $reserve);
    return 429, '', 'new_api_error', 'Too many calls at once' if $flying >= $CAP;
    my @poor = ('insufficient_user_quota', 'new_api_error', 'Credit too low; the balance is USD ' . usd($balance));
    return $balance <= 0 ? (402, @poor) : $balance - $HELD < $reserve ? (403, @poor) : (); }
sub text_call { my ($c, $kind) = @_;
    my $call = { rid => $c->{rid}, kind => $kind, began => time, cached => 0 };
    if (my @no = check($call, $c->{in})) {
        $HOOK{refused}->($call, $c->{in}) if $HOOK{refused} and $no[0] != 429;
        return failure($c, @no) }
    $flying++; $HELD += $call->{reserve};
    my ($m, $wish, $span) = ($MODEL{ $call->{model} }, 20 + int rand 110, 0.02 + rand 0.1);
    $call->{out} = min($wish, $call->{max} // $wish);
    $call->{full} = $call->{out} < $wish;
    $call->{cached} = 4 * int($call->{in} * (0.25 + rand 0.5) / 4) if $m->{cache} and rand() < 0.4;
    $call->{in} -= $call->{cached};    # the columns do not overlap
    $call->{words} = [map { ($_ > 1 ? ' ' : '') . $WORDS[rand @WORDS] } 1 .. $call->{out}];
    return after($span, sub { upstream_failure($c, $call) }) if $m->{flaky} and rand() < 1 / 6;
    return after($span, sub { done($call, 'completed'); reply($c, 200, whole($call)) }) if !$call->{stream};
    my @events = events($call);
    $call->{cut} = @events >> 1 if $m->{flaky} and rand() < 1 / 5;
    $HOOK{stream}->($call, scalar @events) if $HOOK{stream};
    put($c, head($c, 200, 'text/event-stream', 'Cache-Control: no-cache'));
    my ($sent, $told, $step) = (0, 0);
    $step = sub {    # one event a step; a client that hangs up, or a cut of the channel, ends it "broken"
        my $broken = $c->{gone} || $sent == ($call->{cut} // -1);
        if (!$broken and $sent < @events) {
            put($c, $events[$sent][0]);
            $told += $events[$sent++][1] unless $c->{gone};
            return after($span / @events, $step) }
        $call->{out} = $told if $broken;
        done($call, $broken ? 'broken' : 'completed');
        undef $step; hang_up($c);
    };
    after(0.02, $step); }
sub done { my ($call, $result) = @_; $flying--; slip(%$call, result => $result) }
sub upstream_failure { my ($c, $call) = @_;
    my @kinds = ([429, 'upstream_crowded'], [502, 'upstream_unavailable'], [503, 'upstream_error']);
    @$call{qw(in cached out)} = (0, 0, 0); done($call, 'failed');
    failure($c, @{ $kinds[rand 3] }, 'new_api_error', 'The model did not answer'); }
# ---- the three formats ----
sub usage_object { my ($kind, $in, $cached, $out) = @{ $_[0] }{qw(kind in cached out)};
    return { input_tokens => $in, output_tokens => $out, cache_read_input_tokens => $cached,
        cache_creation_input_tokens => 0 } if $kind eq 'messages';
    my ($i, $o) = $kind eq 'chat' ? qw(prompt completion) : qw(input output);    # here the cached ones are inside
    return { "${i}_tokens" => $in + $cached, "${o}_tokens" => $out, total_tokens => $in + $cached + $out,
        "${i}_tokens_details" => { cached_tokens => $cached }, "${o}_tokens_details" => { reasoning_tokens => 0 } }; }
sub whole { my ($call) = @_;
    my ($kind, $rid, $text, $full) = (@$call{qw(kind rid)}, join('', @{ $call->{words} }), $call->{full});
    my @all = (model => $call->{model}, usage => usage_object($call));
    return { @all, id => "chatcmpl-$rid", object => 'chat.completion', created => $call->{began},
        choices => [{ index => 0, finish_reason => $full ? 'length' : 'stop',
            message => { role => 'assistant', content => $text } }] } if $kind eq 'chat';
    return { @all, id => "msg_$rid", type => 'message', role => 'assistant', stop_sequence => undef,
        content => [{ type => 'text', text => $text }], stop_reason => $full ? 'max_tokens' : 'end_turn' }
        if $kind eq 'messages';
    my @part = ({ type => 'output_text', text => $text, annotations => [] });
    my @base = (status => $full ? 'incomplete' : 'completed');
    return { @all, @base, id => "resp_$rid", object => 'response', created_at => $call->{began}, error => undef,
        incomplete_details => $full ? { reason => 'max_output_tokens' } : undef,
        output => [{ @base, id => "item_$rid", type => 'message', role => 'assistant', content => \@part }] }; }
sub events { my ($call) = @_;    # a whole stream, as pairs of bytes and the tokens in them
    my ($kind, $whole, @left) = ($call->{kind}, whole($call), @{ $call->{words} });
    my ($each, $no, @pieces, @list) = (1 + int(@left / (4 + int rand 16)), 0);
    push @pieces, [splice @left, 0, $each] while @left;
    my $deltas = sub { my ($type, $make) = @_; map { [$type, $make->(join '', @$_), scalar @$_] } @pieces };
    if ($kind eq 'chat') {
        my $chunk = sub { return { (map { $_ => $whole->{$_} } qw(id created model)), object => 'chat.completion.chunk',
            choices => [{ index => 0, delta => shift, finish_reason => shift }], @_ } };
        @list = (['', $chunk->({ role => 'assistant', content => '' })],
            $deltas->('', sub { $chunk->({ content => @_ }) }),
            ['', $chunk->({}, $whole->{choices}[0]{finish_reason}, usage => $whole->{usage})]);
    } elsif ($kind eq 'messages') {
        my %stop = (stop_reason => undef, stop_sequence => undef);
        my $start = { %$whole, %stop, content => [], usage => { %{ $whole->{usage} }, output_tokens => 0 } };
        @list = ([message_start => { message => $start }],
            [content_block_start => { index => 0, content_block => { type => 'text', text => '' } }],
            $deltas->('content_block_delta', sub { +{ index => 0, delta => { type => 'text_delta', text => @_ } } }),
            [content_block_stop => { index => 0 }], [message_delta => { usage => $whole->{usage},
                delta => { %stop, stop_reason => $whole->{stop_reason} } }], [message_stop => {}]);
    } else {
        my $item = $whole->{output}[0];
        my ($part, %at) = ($item->{content}[0], item_id => $item->{id}, output_index => 0, content_index => 0);
        my $start = { %$whole, status => 'in_progress', output => [], usage => undef, incomplete_details => undef };
        @list = (['response.created', { response => $start }], ['response.output_item.added', { output_index => 0,
                item => { %$item, status => 'in_progress', content => [] } }],
            ['response.content_part.added', { %at, part => { %$part, text => '' } }],
            $deltas->('response.output_text.delta', sub { +{ %at, delta => @_ } }),
            ['response.output_text.done', { %at, text => $part->{text} }],
            ['response.content_part.done', { %at, part => $part }],
            ['response.output_item.done', { output_index => 0, item => $item }],
            ["response.$whole->{status}", { response => $whole }]);
        $_->[1]{sequence_number} = $no++ for @list;
    }
    my @events = map { my ($type, $data, $tokens) = @$_; $data->{type} = $type if $type;
        [($type ? "event: $type\n" : '') . 'data: ' . $JSON->encode($data) . "\n\n", $tokens // 0] } @list;
    return @events, $kind eq 'chat' ? ["data: [DONE]\n\n", 0] : (); }
# ---- the loop ----
my $stop;
$SIG{PIPE} = 'IGNORE'; $SIG{TERM} = $SIG{INT} = sub { $stop = 1 };
if ($fault) { require "$FindBin::Bin/faults.pl"; plant($fault) }
sub bill { billing_run(); after(1, \&bill) }
bill(); STDOUT->autoflush(1);
print $JSON->encode({ base_url => 'http://127.0.0.1:' . $listen->sockport, api_key => $key, access_token => $token,
    user_id => "$user" }), "\n";
while (!$stop) {
    my ($ready) = IO::Select->select($RD, undef, undef, max(0, $timer[0][0] - now()));
    for my $fh (@{ $ready || [] }) {
        if ($fh != $listen) { take($conn{ fileno $fh }); next }
        my $new = $listen->accept or next;
        setsockopt $new, IPPROTO_TCP, TCP_NODELAY, 1;
        $conn{ fileno $new } = { fh => $new, in => '' }; $RD->add($new) }
    (shift @timer)->[1]->() while @timer and $timer[0][0] <= now();
}
billing_run();
