<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Edge\EdgeKeys;
use Larder\Edge\Exception\EdgeFailed;
use Larder\Page\NginxConfig;
use Larder\Page\Pages;
use Larder\Page\Site;

/**
 * What stands in front of the web servers has to drop what a change has ended, or old pages go on being served.
 *
 * @internal
 */
final readonly class EdgeChecks
{
    public function __construct(private Site $site) {}

    /** @return list<Check> none for a site without an edge */
    public function run(): array
    {
        $edge = $this->site->serving->edge;
        $purges = Pages::of($this->site)->purges();
        if ($edge === null || $purges === null) {
            return [];
        }
        $drops = 'the edge drops what it is told to';
        try {
            // No page has this key.
            $edge->purge([(new EdgeKeys($this->site->name))->page(NginxConfig::STATUS)]);
            $check = Check::ok($drops);
        } catch (EdgeFailed $failed) {
            $check = Check::failed($drops, $failed->getMessage() . '. Until it does, it serves old pages');
        }

        return [$check, Check::that(
            'the edge has dropped all that was changed on this host',
            !$purges->areUnfinished(),
            'some purges failed: run larder purge',
        )];
    }
}
