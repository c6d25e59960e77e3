# faults.pl - the ten planted faults; loaded by gateway.pl only when --fault N is given.
use strict; use warnings; use JSON::PP ();
our ($HELD, %HOOK, @JOURNAL, @NAMES);

my @ORDER =    # sealed: --fault 1 is the first of these
    qw(cut tokens border by_model phantom half refused thousand twin vanish);
my %TEXT = (
    tokens   => "The record's output_tokens is larger than the usage told, and the charge follows the record's number.",
    vanish   => 'A settled record disappears from the pages after it was served.',
    twin     => 'Two records with the same request_id, each charged in full, for one call.',
    phantom  => 'A charged, settled record for a call that no client ever made.',
    thousand => "One call's charge is 1,000 times what the price book gives.",
    by_model => "by_model leaves out a part of one model's money (sums: that model as shown, as it should be).",
    refused  => 'A request refused with a 4xx status is charged as if it had succeeded.',
    border   => 'The pages skip one record at their border.',
    half     => "One call's charge is 1.5 times what the price book gives.",
    cut      => "A cut stream is charged for more output tokens than the request's max_tokens allows.",
);
my ($seen, $shown) = (0, 0);

# the 6th call that the fault can apply to, and every 4th from there
sub hit { return ++$seen >= 6 && ($seen - 6) % 4 == 0 }

sub planted_slip {    # a line that no honest rule would have written
    my (%s) = @_;
    $HELD += $s{reserve};
    slip(%s, planted => 1, due => 0, result => 'completed');
}

sub once {    # faults of totals and pages tell the truth when they first show
    my ($what, $rid, $charged, $due) = @_;
    truth(fault => $TEXT{$what}, request_id => $rid, charged_usd => usd($charged), due_usd => usd($due)) if !$shown++;
}

sub on_completed {    # wraps what befalls single calls that ended well
    my ($name, $do) = @_;
    $HOOK{slip} = sub {
        my ($r) = @_;
        return if $r->{planted} or $r->{result} ne 'completed' or !hit();
        $r->{fault} = $TEXT{$name} if $name ne 'phantom' and $name ne 'vanish';
        $do->($r);
    };
}

my %PLANT = (
    tokens => sub { on_completed(tokens => sub { my ($r) = @_; $r->{out} += 7 + int($r->{out} * 0.4) }) },
    thousand => sub {
        on_completed(thousand => sub { $_[0]{wrong} = 1 });
        $HOOK{post} = sub { my ($r) = @_; $r->{amount} *= 1000 if $r->{wrong} };
    },
    half => sub {
        on_completed(half => sub { $_[0]{wrong} = 1 });
        $HOOK{post} = sub { my ($r) = @_; $r->{amount} = ($r->{amount} * 3 + 1) >> 1 if $r->{wrong} };
    },
    twin => sub {
        on_completed(twin => sub { my ($r) = @_; $r->{twice} = 1; planted_slip(%$r, silent => 1, twice => 0) });
        $HOOK{post} = sub { my ($r) = @_; $r->{charged} = 2 * $r->{amount} if $r->{twice} };
    },
    phantom => sub {
        on_completed(phantom => sub {
            my ($model, $in) = ($NAMES[rand @NAMES], 12 + int rand 30);
            planted_slip(rid => new_rid(), kind => $_[0]{kind}, model => $model, in => $in, cached => 0,
                out => 20 + int rand 110, reserve => charge($model, $in, 0, 512), fault => $TEXT{phantom});
        });
    },
    refused => sub {
        $HOOK{refused} = sub {
            my ($call, $body) = @_;
            return if !hit();
            my $asked = eval { JSON::PP->new->utf8->decode($body)->{model} } // '';
            my ($model) = ((grep { $_ eq $asked } @NAMES), $NAMES[1]);
            my $in = $call->{in} // 7 + count(substr $body, 0, 4000);
            planted_slip(rid => $call->{rid}, kind => $call->{kind}, model => $model, in => $in, cached => 0,
                out => 20 + int rand 110, reserve => charge($model, $in, 0, 512), fault => $TEXT{refused});
        };
    },
    vanish => sub {
        on_completed(vanish => sub { $_[0]{vanish} = 1 });
        $HOOK{lines} = sub {
            my @gone = grep { $_->{vanish} && $_->{served} } @_;
            for my $r (grep { !$_->{noted}++ } @gone) {
                $shown = 0;
                once(vanish => $r->{rid}, $r->{amount}, $r->{due});
            }
            return grep { !($_->{vanish} && $_->{served}) } @_;
        };
        $HOOK{page} = sub { my ($next, $q, $page) = @_; $_->{served} ||= $_->{status} eq 'settled' for @$page; $next };
    },
    border => sub {
        $HOOK{page} = sub {
            my ($next, $q, $page, $rest) = @_;
            return $next if defined $q->{before} or @$rest < 2;
            my $r = $rest->[0];
            once(border => $r->{rid}, $r->{amount}, $r->{due});
            return sprintf '%08d', $r->{no};
        };
    },
    by_model => sub {
        $HOOK{totals} = sub {
            my ($most) = sort { $b->{settled_amount} <=> $a->{settled_amount} } @_;
            return if !$most or $most->{settled_amount} < 10;
            my $right = $most->{settled_amount};
            $most->{settled_amount} -= int($right * 3 / 10);
            once(by_model => undef, $most->{settled_amount}, $right);
        };
    },
    cut => sub {
        $HOOK{stream} = sub {
            my ($call, $events) = @_;
            @$call{qw(cut over)} = ($events >> 1, 1) if $call->{max} and hit();
        };
        $HOOK{slip} = sub {
            my ($r) = @_;
            @$r{qw(out fault)} = ($r->{max} + 5 + int rand 40, $TEXT{cut}) if $r->{over};
        };
    },
);

sub plant { my ($n) = @_; $PLANT{ $ORDER[$n - 1] // die "--fault wants 1 to 10\n" }->() }
1;
