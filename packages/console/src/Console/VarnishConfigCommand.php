<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\Site;
use Larder\Page\VarnishConfig;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal */
#[AsCommand('varnish:config', 'Writes VCL for a Varnish in front of the site')]
final class VarnishConfigCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $value = InputOption::VALUE_REQUIRED;
        $this->addOption('backend', null, $value, 'nginx: 10.0.0.1:80 or unix:/path', '127.0.0.1:80')
            ->addOption(
                'purger',
                null,
                $value | InputOption::VALUE_IS_ARRAY,
                'Address of a host with PHP, which may purge; needed if the VarnishEdge has no secret',
            )
            ->setHelp(
                'It needs vmod_xkey, which is in the package varnish-modules.'
                . "\n\nExample: <info>larder varnish:config --backend=127.0.0.1:8080 > /etc/varnish/default.vcl</info>",
            );
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $given = $input->getOption('purger');
        $purgers = array_values(array_filter(\is_array($given) ? $given : [], is_string(...)));
        $text = (new VarnishConfig($site, self::text($input, 'backend'), $purgers))->whole();

        return new CommandAnswer(['config' => $text], explode("\n", rtrim($text, "\n")));
    }
}
