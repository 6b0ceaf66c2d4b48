<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Program;

/** The subjects of B4: the code of a program out of memcached, or from files; and of its releases. */
final readonly class CodeSubjects
{
    private const BATCHES = [1, 10, 50, 250, 500];

    /** What is timed of a release, by the end of its subject's id. */
    private const RELEASE = [
        'local' => 'First request, of a local directory',
        'pool' => 'First request of a host without a file, from the pool',
        'warm' => 'First request after code:warm',
        'loader' => 'First request after code:warm, through the loader',
        'next' => 'Next request',
        'pull' => 'Pull alone',
        'files' => 'As many files, made by plain PHP',
    ];

    /** @return list<Definition> */
    public static function subjects(): array
    {
        $local = ['client' => 'PHP ' . PHP_VERSION, 'protocol' => 'none: files of the page cache'];
        $pool = [
            'client' => 'ext-memcached',
            'persistent' => 'no: connects in each load',
            'protocol' => 'memcached binary',
            'nodelay' => 'yes',
            'compression' => 'none',
            'serializer' => 'none: strings',
            'note' => 'what eval compiles, OPcache does not keep; nothing is kept in the process',
        ];
        $subjects = [
            self::row('code-none', 'No code', new Form(Way::None), Role::Floor, $local),
            self::row('code-include', 'include', new Form(Way::Include), Role::Contender, $local),
            self::row('code-preload', 'opcache.preload', new Form(Way::Preloaded), Role::Contender, $local),
            self::row(
                'code-release',
                'Larder\Code\Loader, of a release that was pulled',
                new Form(Way::Release),
                Role::Contender,
                ['note' => 'pulled before; a load asks no server', ...$local],
                Kind::Memcached,
                ['sodium'],
            ),
        ];
        foreach (self::BATCHES as $batch) {
            $title = $batch === 1 ? 'eval of gets, one by one' : "eval of gets, $batch files a round trip";
            $subjects[] = self::row(
                "code-pool-$batch",
                $title,
                new Form(Way::Pool, $batch),
                Role::Contender,
                $pool,
                Kind::Memcached,
                ['memcached'],
            );
        }
        $delivered = ['client' => 'Larder\Code', 'protocol' => 'memcached, binary, by PHP\'s streams'];
        foreach (self::RELEASE as $way => $title) {
            $role = $way === 'files' ? Role::Floor : Role::Contender;
            $subjects[] = Program::definition(
                "release-$way",
                $title,
                $delivered,
                Kind::Memcached,
                ['sodium'],
                role: $role,
            );
        }
        foreach (['none' => 'No switch', 'five' => 'Five switches a second'] as $id => $title) {
            $subjects[] = Program::definition("switch-$id", $title, $delivered, Kind::Memcached, ['sodium']);
        }

        return $subjects;
    }

    /**
     * @param array<string, string> $terms
     * @param list<string>          $extensions
     */
    private static function row(
        string $id,
        string $title,
        Form $form,
        Role $role,
        array $terms,
        Kind $needs = Kind::None,
        array $extensions = [],
    ): Definition {
        return new Definition(
            $id,
            $title,
            Form::class,
            static fn(): Form => $form,
            $needs,
            $role,
            $terms,
            $extensions,
        );
    }
}
